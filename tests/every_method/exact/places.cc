#include <stdexcept>

#include "tests/every_method/exact/exact_statics.h"

namespace mbsbench::exact {

namespace {

using Places = std::vector<JointPlace>;

const Number k0 = Q(0), k1 = Q(1);
const Point kX{k1, k0, k0}, kY{k0, k1, k0}, kZ{k0, k0, k1};

Point At(const Number& x, const Number& y, const Number& z) { return {x, y, z}; }
// cos and sin of the angle whose half has this tangent.
Number Cosine(const Number& t) { return (k1 - t * t) / (k1 + t * t); }
Number Sine(const Number& t) { return Q(2) * t / (k1 + t * t); }

Places PinsAlongZ(const std::vector<Point>& points) {
  Places places;
  for (const Point& p : points) places.push_back({p, kZ});
  return places;
}

Places ThreeCranks() {
  const Point crank{Q(1, 2), Root(Q(3)) / Q(2), k0}, a{}, b = Q(7, 10) * kX, c = Q(2) * kX;
  return PinsAlongZ({a, b, c, a + crank, b + crank, c + crank});
}

Places TwoWindows(const Point& crank) {
  const Point a{}, b = kX, c = Q(2) * kX;
  return PinsAlongZ({a, b, c, a + crank, b + crank, b + crank, c + crank});
}

// tan(35 deg) = 0.7002 is 7/10.
Places FourPins() {
  const Number t = Q(7, 10), coupler = Q(8, 10), rocker = Q(7, 10);
  const Point foot = kX, knee = Q(3, 10) * At(Cosine(t), Sine(t), k0), base = foot - knee;
  const Number square = base[0] * base[0] + base[1] * base[1];
  const Number along = (square + coupler * coupler - rocker * rocker) / (Q(2) * square);
  const Number above = Root(coupler * coupler / square - along * along);
  return PinsAlongZ({{}, knee, knee + along * base + above * Cross(kZ, base), foot});
}

// tan(20 deg) = 0.3640 is 4/11, tan(32.5 deg) = 0.6371 is 7/11; sin(beta) = 1.5 sin(alpha).
Places Bennett() {
  const Number half_alpha = Q(4, 11), half_first = Q(7, 11);
  const Number sin_beta = Q(3, 2) * Sine(half_alpha), cos_beta = Root(k1 - sin_beta * sin_beta);
  const Number half_beta = sin_beta / (k1 + cos_beta);
  const Number half_second = (half_beta + half_alpha) / ((half_beta - half_alpha) * half_first);
  struct Link {
    Number half_angle, length, cosine, sine;  // of the twist
  };
  Point x = kX, z = kZ, point{};
  Places places{{point, z}};
  for (const Link& link : {Link{half_first, k1, Cosine(half_alpha), Sine(half_alpha)},
                           Link{half_second, Q(3, 2), cos_beta, sin_beta},
                           Link{-half_first, k1, Cosine(half_alpha), Sine(half_alpha)}}) {
    const Point y = Cross(z, x);
    x = Cosine(link.half_angle) * x + Sine(link.half_angle) * y;
    point = point + link.length * x;
    z = link.cosine * z - link.sine * Cross(z, x);
    places.push_back({point, z});
  }
  return places;
}

Places Bricard() {
  return {{{}, kY}, {kX, kZ}, {kX - kY, kX}, {kX - kY + kZ, kY}, {kZ - kY, kZ}, {kZ, kX}};
}

Places Sarrus() {
  const Number knee = Q(3, 10) + Root(Q(21)) / Q(5);  // 1 - 0.4^2 = 21 / 25
  Places places;
  for (const auto& [out, axis] : {std::pair{kX, kY}, std::pair{kY, kX}}) {
    places.push_back({Q(3, 10) * out, axis});
    places.push_back({knee * out + Q(4, 10) * kZ, axis});
    places.push_back({Q(3, 10) * out + Q(8, 10) * kZ, axis});
  }
  return places;
}

Places Hexagon() {
  const Number half = Q(1, 2), side = Root(Q(3)) / Q(2);
  return PinsAlongZ({kX, At(half, side, k0), At(-half, side, k0), Q(-1) * kX, At(-half, -side, k0),
                     At(half, -side, k0)});
}

// tan(10 deg) = 0.1763 is 3/17, and the forearm's angle below the horizontal has the half tangent 10/27.
Places Delta() {
  const Number elbow_out = Q(3, 10) + Q(1, 4) * Cosine(Q(3, 17)),
               elbow_down = Q(1, 4) * Sine(Q(3, 17)), in = Q(6, 10) * Cosine(Q(10, 27)),
               down = Q(6, 10) * Sine(Q(10, 27));
  Places tree, loops;
  for (int leg = 0; leg < 3; ++leg) {
    const Number cosine = leg == 0 ? k1 : Q(-1, 2),
                 sine = leg == 0 ? k0 : Q(leg == 1 ? 1 : -1, 2) * Root(Q(3));
    const Point out{cosine, sine, k0}, tangent{-sine, cosine, k0};
    const Point elbow = elbow_out * out - elbow_down * kZ, forearm = -in * out - down * kZ,
                side = Q(1, 20) * tangent, across = Cross(forearm, tangent);
    tree.insert(tree.end(), {{Q(3, 10) * out, tangent},
                             {elbow, tangent},
                             {elbow - side, across},
                             {elbow + side, across},
                             {elbow - side + forearm, across}});
    loops.push_back({elbow + side + forearm, across});
    (leg == 0 ? tree : loops).push_back({elbow + forearm, tangent});
  }
  tree.insert(tree.end(), loops.begin(), loops.end());
  return tree;
}

Places BracedWishbone() {
  const auto at = [](long x, long y, long z) { return At(Q(x, 100), Q(y, 100), Q(z, 100)); };
  const Point lower_ball = at(-20, 61, -26);
  return {{{}, kZ},
          {at(-25, 19, -26), kX},
          {at(-25, 32, -10), kX},
          {lower_ball, {}},
          {at(-20, 67, -24), kY},
          {at(-20, 58, -10), {}},
          {at(-10, 62, -24), kY},
          {lower_ball, lower_ball - at(-30, 19, -26)}};
}

}  // namespace

std::vector<JointPlace> PlacesOf(const std::string& name) {
  const auto hinges = [](std::initializer_list<long> decimetres) {
    Places places;
    for (long z : decimetres) places.push_back({Q(z, 10) * kZ, kZ});
    return places;
  };
  if (name == "parallelogram3") return ThreeCranks();
  if (name == "nfourbar2-30") return TwoWindows({Q(1, 2), Root(Q(3)) / Q(2), k0});
  if (name == "nfourbar2-90") return TwoWindows(kX);
  if (name == "fourbar-rrrr") return FourPins();
  if (name == "bennett") return Bennett();
  if (name == "bricard") return Bricard();
  if (name == "sarrus") return Sarrus();
  if (name == "door2" || name == "door2-ball") return hinges({3, 17});
  if (name == "door3") return hinges({3, 10, 17});
  if (name == "drawer") return {{At(Q(1, 10), Q(1, 4), k0), kX}, {At(Q(1, 10), Q(-1, 4), k0), kX}};
  if (name == "table4") {
    const Number x = Q(6, 10), y = Q(3, 10);
    return {{At(x, y, k0), {}}, {At(-x, y, k0), {}}, {At(-x, -y, k0), {}}, {At(x, -y, k0), {}}};
  }
  if (name == "ring6") return Hexagon();
  if (name == "delta") return Delta();
  if (name == "wishbone-extra") return BracedWishbone();
  throw std::invalid_argument("no exact data of " + name);
}

}  // namespace mbsbench::exact
