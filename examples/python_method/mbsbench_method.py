"""The Python side of mbsbench_python.c: answers the requests of mbsbench for one class.

The class states key, title, source, description, cost_exponent, joints (of "revolute", "prismatic", "ball",
"free"), in_space, forces, unusual_bodies and most_links, and optionally `files`, paths of data that it opens; the
script and the modules that it imports need not be named. It is made with a model, a dictionary with the fields
of mbsbench_model in methods/foreign/c_method.h; matrices are lists of rows. Its evaluate(t, q, u, loads,
efforts) gives the rates of u.

Requests and replies are lines on descriptor 3. What the class prints goes to standard error.
"""
import json
import os
import sys

JOINTS = {"revolute": 1, "prismatic": 2, "ball": 4, "free": 8}
TRAITS = {"in_space": 1, "forces": 2, "unusual_bodies": 4}


class Singular(Exception):
    """No accelerations at this state, because the equations have no unique solution."""


def line_of(text):
    return " ".join(str(text).split())


def files_of(method):
    """The script, its own modules and the data that the class names: what the results depend on."""
    installed = tuple(os.path.join(os.path.realpath(prefix), "")
                      for prefix in {sys.base_prefix, sys.prefix})
    modules = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    own = {os.path.realpath(file) for file in modules if file}
    own = {file for file in own if "site-packages" not in file and "dist-packages" not in file
           and not file.startswith(tuple(os.path.join(prefix, "lib") for prefix in installed))}
    folder = os.path.dirname(os.path.realpath(sys.argv[0]))
    named = getattr(method, "files", ())
    if isinstance(named, (str, bytes)):
        raise TypeError(f"files is {named!r}: a tuple or list of paths is needed")
    for file in named:
        if any(c in os.fspath(file) for c in "\t\r\n"):
            raise ValueError(f"files names {file!r}: a path without tabs and line feeds is needed")
    return sorted(own | {os.path.join(folder, file) for file in named})


def description(method):
    joints = sum(JOINTS[joint] for joint in method.joints)
    traits = sum(bit for trait, bit in TRAITS.items() if getattr(method, trait))
    fields = [method.key, method.title, method.source, method.description,
              repr(float(method.cost_exponent)), joints, traits, int(method.most_links)]
    return "ok\t" + "\t".join([line_of(field) for field in fields] + files_of(method))


def rows_of_three(numbers):
    return [numbers[i:i + 3] for i in (0, 3, 6)]


class Server:
    def __init__(self, method):
        self.method = method

    def prepare(self, text):
        model = json.loads(text)
        for link in model["links"]:
            link["turn"] = rows_of_three(link["turn"])
            link["inertia"] = rows_of_three(link["inertia"])
        self.model = model
        self.prepared = self.method(model)
        return "ok"

    # has_loads has_efforts t q... u... loads... efforts...
    def evaluate(self, text):
        words = text.split()
        numbers = [float(word) for word in words[2:]]

        def take(count):
            taken = numbers[:count]
            del numbers[:count]
            return taken

        rates = self.model["rate_count"]
        t, = take(1)
        q, u = take(self.model["coordinate_count"]), take(rates)
        loads = [take(6) for _ in self.model["links"]] if words[0] == "1" else None
        efforts = take(rates) if words[1] == "1" else None
        udot = self.prepared.evaluate(t, q, u, loads, efforts)
        if len(udot) != rates:
            raise ValueError(f"evaluate gives {len(udot)} numbers of {rates}")
        return "ok " + " ".join(repr(float(x)) for x in udot)

    def reply(self, line):
        request, _, text = line.partition(" ")
        try:
            if request == "describe":
                return description(self.method)
            return self.prepare(text) if request == "prepare" else self.evaluate(text)
        except Singular as error:
            return "singular " + line_of(error)
        except Exception as error:  # whatever is wrong with the method is its own reason
            return "failed " + line_of(f"{type(error).__name__}: {error}")


def serve(method):
    """Answers until mbsbench closes its end."""
    try:
        requests, replies = os.fdopen(3, "rb"), os.fdopen(os.dup(3), "wb")
    except OSError:
        sys.exit(f"{method.key}: {method.title}, a method for mbsbench, which starts it.")
    server = Server(method)
    for line in requests:
        replies.write((server.reply(line.decode().rstrip("\n")) + "\n").encode())
        replies.flush()
