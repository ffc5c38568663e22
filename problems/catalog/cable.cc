// ratio8, cable1000: point masses on massless links, hung from a pivot.
//
//   o pivot (0, 0)            angles from the downward vertical; gravity along -y
//    \ 1
//     o         ratio8:heavy      seven masses of 1 kg and one of 1e6 kg on links of 1 m
//      \ 2      ratio8:alternate  1 kg and 1e-6 kg in turn
//       o ...   cable1000         masses of 0.01 kg on links of 0.1 m; tip: another mass at the end. A certificate would take
//                                 hours: its small vibrations are known in closed form, and energy is judged
#include <string>

#include "problems/catalog/families.h"
#include "problems/catalog/printed.h"
#include "problems/catalog/rods.h"
#include "problems/model/error.h"
#include "problems/model/problem_options.h"

namespace mbsbench {

namespace {

// One link and the mass at its end.
void AppendLink(Problem& p, double length, double mass) {
  const auto i = static_cast<int>(p.system.bodies.size());
  Body body;
  body.name = std::to_string(i + 1);
  body.mass = mass;
  body.is_point = true;
  body.shape = {Shape::Kind::kRod, {-length, 0, 0}, {}, 0.02 * length};
  p.system.bodies.push_back(body);
  // Angle 0 of the first: the link hangs down; of the others: they are in line.
  p.system.joints.push_back(Revolute("hinge_" + body.name, i - 1,
                                     {{}, i == 0 ? kQuarterTurnBack : Quaternion{}}, i,
                                     {{-length, 0, 0}, {}}));
  p.initial.joints.u.push_back(0);
}

Problem BuildRatio8(const ProblemOptions& options) {
  constexpr int kMasses = 8;
  const bool alternate = options.count("heavy") == 0;
  if (!alternate && options.count("alternate") > 0)
    throw ModelError("problem 'ratio8' is either heavy or alternate: give one of these options.");
  Problem p;
  p.name = alternate ? "ratio8:alternate" : "ratio8:heavy";
  p.title = alternate ? "Chain of heavy and light masses" : "Chain with a heavy mass at its end";
  p.description =
      alternate ? "Masses of 1 and 1e-6 kg in turn hang on massless links. It stresses pivots: "
                  "every second one loses six digits if eliminated from the wrong end."
                : "A mass of 1e6 kg hangs on seven of 1 kg, which vibrate at 6e3 rad/s inside a "
                  "swing at 1 rad/s. It stresses the order of elimination and the scaling of "
                  "equations.";
  p.source = "made for this catalogue";
  double before = 0;
  for (int i = 0; i < kMasses; ++i) {
    const bool is_even = i % 2 == 0;
    AppendLink(p, 1, alternate ? (is_even ? 1 : 1e-6) : i + 1 < kMasses ? 1 : 1e6);
    const double angle = alternate ? (is_even ? 1 : -1) : is_even ? 0.301 : 0.299;
    p.initial.joints.q.push_back(angle - before);
    before = angle;
  }
  // Above the heavy mass small changes grow by 3e6 in 0.1 s: double precision has lost the motion of the light masses at 0.2 s, and
  // 113 bits would have at 0.5 s.
  p.end_time = alternate ? 0.5 : 0.1;
  p.energy_reference = alternate ? 30 : 1e6;
  p.planar = true;
  using Kind = Observable::Kind;
  for (int mass : {1, 5, 8}) {
    const std::string number = std::to_string(mass);
    p.observables.push_back({"x_" + number, Kind::kPositionX, mass - 1});
    p.observables.push_back({"y_" + number, Kind::kPositionY, mass - 1});
  }
  const std::string source = "angles against points with tensions, in 113 bits";
  if (alternate)
    AppendPrintedRow(p, 0.1, source,
                     {"0.818566039370708", "-0.574412429521640", "0.841470984807896",
                      "-2.75056152934070", "0", "-4.37146844694512"});
  else
    AppendPrintedRow(p, 0.1, source,
                     {"0.2933340236708", "-0.9560100159293", "1.4696025422446", "-4.7791465232469",
                      "2.3503223476557", "-7.6469553553755"});
  p.papers_step = 0.001;
  p.fixed_steps = alternate ? std::vector{0.004, 0.002, 0.001, 0.0005, 0.00025, 0.000125}
                            : std::vector{0.0004, 0.0002, 0.0001, 0.00005, 0.000025, 0.0000125};
  p.accuracy_required_ode = p.accuracy_required_dae = 1e-7;
  SetSampleTimes(p);
  return p;
}

Problem BuildCable(const ProblemOptions& options) {
  constexpr int kMasses = 1000;
  constexpr double kLength = 0.1, kMass = 0.01, kAngle = 0.05;  // [m], [kg], [rad]
  const int n = IntegerOption(options, "bodies", kMasses, 1, 1'000'000);
  const double tip = NumberOption(options, "tip", kMass, 1e-9, 1e9);
  Problem p;
  p.name = NameWith("cable1000", {n == kMasses ? "" : "bodies=" + std::to_string(n),
                                  tip == kMass ? "" : NumberText("tip", tip)});
  p.title = "Cable of " + std::to_string(n) + " point masses";
  p.description =
      "Point masses on massless links, released straight 0.05 rad from the vertical; transverse "
      "waves run up and down. It stresses O(n) methods over long times and the loss of digits.";
  p.source = "made for this catalogue";
  for (int i = 0; i < n; ++i) {
    AppendLink(p, kLength, i + 1 < n ? kMass : tip);
    p.initial.joints.q.push_back(i == 0 ? kAngle : 0);
    if (n <= 20 || i < 10 || i >= n - 10) p.reference_bodies.push_back(i);
  }
  p.end_time = 10;
  p.length = kLength * n;
  p.time = 0.002;  // the fastest vibrations have 6e2 rad/s, under the heavy tip 2e3
  // Potential energy above the lowest position.
  const double weights = kMass * n * (n - 1) / 2 + tip * n;
  p.energy_reference = 9.81 * kLength * weights * (1 - std::cos(kAngle));
  p.planar = true;
  p.observables = {{"x_tip", Observable::Kind::kPositionX, n - 1},
                   {"y_tip", Observable::Kind::kPositionY, n - 1}};
  p.papers_step = 0.001;
  // rk4 is stable below 4.5 and 1.4 ms.
  p.fixed_steps =
      tip == kMass ? std::vector{0.004, 0.002, 0.001} : std::vector{0.001, 0.0005, 0.00025};
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily Ratio8Family() {
  return {"ratio8",
          "Chain of masses of very different size",
          {{"alternate", "1 kg and 1e-6 kg in turn, as without an option"},
           {"heavy", "seven masses of 1 kg and one of 1e6 kg"}},
          {"ratio8:alternate"},
          BuildRatio8};
}

ProblemFamily Cable1000Family() {
  return {"cable1000",
          "Cable of a thousand point masses",
          {{"bodies", "number of masses, 1000 without it"},
           {"tip", "mass at the end [kg], 0.01 without it"}},
          {"cable1000", "cable1000:tip=100"},
          BuildCable};
}

}  // namespace mbsbench
