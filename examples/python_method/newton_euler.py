"""A method in Python: the equations of Newton and Euler, link by link. The example of
docs/plugins_in_other_languages.md. It needs nothing except Python itself, and it is slow.

Source: Featherstone, Rigid Body Dynamics Algorithms (2008), sections 5.3 and 6.1.
    tau = ID(q, u, u') = M u' + C        from the root to the tips motion, back to the root forces   (1)
    M_k = ID(q, u, e_k) - ID(q, u, 0)    column k of the mass matrix                                 (2)
    M u' = efforts - ID(q, u, 0)                                                                     (3)
Everything is in inertial axes, about the origin of each link.
"""
import math

import mbsbench_method


def add(*vectors):
    return [sum(entries) for entries in zip(*vectors)]


def scaled(s, a):
    return [s * x for x in a]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def times(R, v):
    return [dot(row, v) for row in R]


def product(A, B):
    return [[dot(row, column) for column in zip(*B)] for row in A]


IDENTITY = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


class NewtonEuler:
    key = "python-newton-euler"
    title = "Newton and Euler in Python"
    source = "Featherstone 2008, sections 5.3 and 6.1"
    description = "A column of the mass matrix from one inverse dynamics each; in pure Python, slow."
    cost_exponent = 3
    joints = ("revolute", "prismatic")
    in_space = True         # motion out of one plane
    forces = True           # force elements: loads and efforts
    unusual_bodies = True   # without mass or inertia
    most_links = 3          # systems of more are refused

    def __init__(self, model):
        self.links = model["links"]
        self.gravity = model["gravity"]

    def motion(self, q, u):
        """Per link: axes, joint axis z, arm r from the parent's origin, angular velocity."""
        moved = []
        for link in self.links:
            p = moved[link["parent"]] if link["parent"] >= 0 else None
            R_p = p["R"] if p else IDENTITY
            R = product(R_p, link["turn"])
            z, r, angle = [row[2] for row in R], times(R_p, link["arm"]), q[link["q"]]
            omega = p["omega"] if p else [0, 0, 0]
            if link["joint"] == "revolute":
                c, s = math.cos(angle), math.sin(angle)
                R = product(R, [[c, -s, 0], [s, c, 0], [0, 0, 1]])
                omega = add(omega, scaled(u[link["u"]], z))
            else:
                r = add(r, scaled(angle, z))
            moved.append({"R": R, "z": z, "r": r, "omega": omega, "m": link["mass"],
                          "h": times(R, link["moment"]),
                          "J": product(product(R, link["inertia"]), list(zip(*R)))})
        return moved

    def inverse_dynamics(self, moved, u, udot, loads):
        """(1)"""
        for i, (link, at) in enumerate(zip(self.links, moved)):
            p = moved[link["parent"]] if link["parent"] >= 0 else None
            omega_p = p["omega"] if p else [0, 0, 0]
            alpha = p["alpha"] if p else [0, 0, 0]
            a = p["a"] if p else scaled(-1, self.gravity)
            a = add(a, cross(alpha, at["r"]), cross(omega_p, cross(omega_p, at["r"])))
            rate, change = scaled(u[link["u"]], at["z"]), scaled(udot[link["u"]], at["z"])
            if link["joint"] == "revolute":
                alpha = add(alpha, change, cross(omega_p, rate))
            else:
                a = add(a, change, scaled(2, cross(omega_p, rate)))
            omega, h = at["omega"], at["h"]
            at["alpha"], at["a"] = alpha, a
            at["f"] = add(scaled(at["m"], a), cross(alpha, h), cross(omega, cross(omega, h)))
            at["n"] = add(times(at["J"], alpha), cross(h, a),
                          cross(omega, times(at["J"], omega)))
            if loads:
                at["f"] = add(at["f"], scaled(-1, loads[i][:3]))
                at["n"] = add(at["n"], scaled(-1, loads[i][3:]))
        tau = [0.0] * len(u)
        for link, at in zip(reversed(self.links), reversed(moved)):
            tau[link["u"]] = dot(at["z"], at["n"] if link["joint"] == "revolute" else at["f"])
            if link["parent"] >= 0:
                p = moved[link["parent"]]
                p["f"] = add(p["f"], at["f"])
                p["n"] = add(p["n"], at["n"], cross(at["r"], at["f"]))
        return tau

    def largest_inertias(self, moved):
        """Per rate the largest inertia that its joint could have: of the composite body beyond it, the mass or the
        trace of the inertia about the joint's origin."""
        mass = [at["m"] for at in moved]
        moment = [at["h"] for at in moved]
        trace = [sum(at["J"][k][k] for k in range(3)) for at in moved]
        largest = [0.0] * len(moved)
        for i in reversed(range(len(moved))):
            link, r = self.links[i], moved[i]["r"]
            largest[link["u"]] = trace[i] if link["joint"] == "revolute" else mass[i]
            p = link["parent"]
            if p >= 0:
                mass[p] += mass[i]
                moment[p] = add(moment[p], moment[i], scaled(mass[i], r))
                trace[p] += trace[i] + 4 * dot(moment[i], r) + 2 * mass[i] * dot(r, r)
        return largest

    def evaluate(self, t, q, u, loads, efforts):
        """u' at time t from coordinates q and rates u. `loads`: per link (force, moment), six numbers,
        or None; `efforts`: per rate, or None."""
        moved = self.motion(q, u)
        size = len(u)
        bias = self.inverse_dynamics(moved, u, [0] * size, loads)
        rows = []  # of M, which is symmetric, followed by the right side
        for k in range(size):
            unit = [float(j == k) for j in range(size)]
            tau = self.inverse_dynamics(moved, u, unit, loads)
            rows.append([x - c for x, c in zip(tau, bias)]
                        + [(efforts[k] if efforts else 0) - bias[k]])
        return solve(rows, self.largest_inertias(moved))


def solve(rows, largest):
    """Gaussian elimination of a positive definite matrix. A diagonal entry may be round-off itself, so pivots are
    compared with the largest inertia that their joint could have."""
    size = len(rows)
    for k in range(size):
        if not rows[k][k] > 1e-14 * largest[k]:
            raise mbsbench_method.Singular("the mass matrix has no inverse")
        for i in range(k + 1, size):
            share = rows[i][k] / rows[k][k]
            for j in range(k, size + 1):
                rows[i][j] -= share * rows[k][j]
    x = [0.0] * size
    for k in reversed(range(size)):
        x[k] = (rows[k][size] - sum(rows[k][j] * x[j] for j in range(k + 1, size))) / rows[k][k]
    return x


if __name__ == "__main__":
    mbsbench_method.serve(NewtonEuler)
