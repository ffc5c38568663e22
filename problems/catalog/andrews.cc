// andrews: Andrews' squeezing mechanism (Schiehlen 1990; IVP test set, andrews; IFToMM A03).
//
//              C (spring)           K1 O-F, K2 F-E, K3 triangle B-E-D, K5 A-G, K4 G-E, K7 A-H, K6
//               \                   H-E: seven bodies in the plane, driven by a moment on K1,
//           B----D                  without gravity. Four bodies meet at E: three loops.
//            \  /  K3
//     G       \/        F           The tree: K1 - K2, K3, K5 - K4, K7 - K6 on revolutes about z;
//    / \------E--------/ \          the loop joints in E join K2 to K3, K4 and K6. In space three
//   A---------/   K2      O         constraints of each are redundant.
//    \-H-----/
#include "problems/catalog/families.h"
#include "problems/catalog/rods.h"

namespace mbsbench {

namespace {

// The moments of inertia about x and y of a lamina; the motion does not depend on them.
Body Lamina(std::string name, double mass_kg, double inertia_z_kg_m2) {
  Body body;
  body.name = std::move(name);
  body.mass = mass_kg;
  body.inertia = Diagonal(inertia_z_kg_m2 / 2, inertia_z_kg_m2 / 2, inertia_z_kg_m2);
  return body;
}

// Points of K1 ... K7 in the plane, from the mass centre of the body, in its axes.
constexpr Vector3 kO{-0.00092, 0, 0}, kF1{0.007 - 0.00092, 0, 0};  // K1
constexpr Vector3 kF2{0.0115, 0, 0}, kE2{0.0115 - 0.028, 0, 0};    // K2: x points from E to F
constexpr Vector3 kB{-0.01043, 0.01874, 0}, kE3{-0.01043, 0.01874 - 0.035, 0},
    kD{0.02 - 0.01043, 0.01874 - 0.018, 0};                       // K3
constexpr Vector3 kG4{0, 0.00579, 0}, kE4{0, 0.00579 - 0.02, 0};  // K4: -y points from G to E
constexpr Vector3 kA5{-0.02308, -0.00916, 0}, kG5{0.04 - 0.02308, -0.00916, 0};  // K5
constexpr Vector3 kH6{-0.00579, 0, 0}, kE6{0.02 - 0.00579, 0, 0};                // K6
constexpr Vector3 kA7{0.00449, 0.01228, 0}, kH7{0.00449, 0.01228 - 0.04, 0};     // K7

void AddMechanism(Problem& p) {
  constexpr Vector3 kGroundA{-0.06934, -0.00227, 0}, kGroundB{-0.03635, 0.03273, 0},
      kGroundC{0.014, 0.072, 0};
  constexpr double kMoment = 0.033;  // on K1 [N m]
  System& s = p.system;
  s.gravity = {};
  s.bodies = {Lamina("K1", 0.04325, 2.194e-6), Lamina("K2", 0.00365, 4.410e-7),
              Lamina("K3", 0.02373, 5.255e-6), Lamina("K4", 0.00706, 5.667e-7),
              Lamina("K5", 0.07050, 1.169e-5), Lamina("K6", 0.00706, 5.667e-7),
              Lamina("K7", 0.05498, 1.912e-5)};
  const auto drawn = [&s](std::size_t body, const Vector3& a, const Vector3& b) {
    s.bodies[body].shape = {Shape::Kind::kRod, a, b, 0.0008};
  };
  drawn(0, kO, kF1), drawn(1, kF2, kE2), drawn(2, kE3, kD), drawn(3, kG4, kE4);
  drawn(4, kA5, kG5), drawn(5, kH6, kE6), drawn(6, kA7, kH7);
  const auto pin = [](const char* name, int parent, const Vector3& on_parent, int child,
                      const Vector3& on_child) {
    return Revolute(name, parent, {on_parent, {}}, child, {on_child, {}});
  };
  s.joints = {pin("O", kGround, {}, 0, kO),         pin("F", 0, kF1, 1, kF2),
              pin("B", kGround, kGroundB, 2, kB),   pin("G", 4, kG5, 3, kG4),
              pin("A5", kGround, kGroundA, 4, kA5), pin("H", 6, kH7, 5, kH6),
              pin("A7", kGround, kGroundA, 6, kA7)};
  s.loop_joints = {pin("E3", 1, kE2, 2, kE3), pin("E4", 1, kE2, 3, kE4), pin("E6", 1, kE2, 5, kE6)};
  s.forces.Of<SpringDamper>() = {{"C-D", kGround, 2, kGroundC, kD, 4530, 0, 0.07785}};
  s.forces.Of<AppliedForce>() = {{"drive", 0, {}, {}, {0, 0, kMoment}, false}};
  // beta, Theta, gamma, Phi, delta, Omega, epsilon
  p.initial.joints.q = {-0.0617138900142764496358948458001, 0,
                        0.455279819163070380255912382449,   0.222668390165885884674473185609,
                        0.487364979543842550225598953530,   -0.222668390165885884674473185609,
                        1.23054744454982119249735015568};
  p.initial.joints.u.assign(7, 0.0);
  p.initial.dependent_joints = {1, 2, 3, 4, 5, 6};
}

void AddKnownValues(Problem& p) {
  using Kind = Observable::Kind;
  p.observables = {{"beta", Kind::kPlaneAngle, 0},
                   {"Theta", Kind::kPlaneAngle, 1, 0, {}, 0},
                   {"gamma", Kind::kPlaneAngle, 2},
                   {"Phi", Kind::kPlaneAngle, 3, 0, {}, 4},
                   {"delta", Kind::kPlaneAngle, 4},
                   {"Omega", Kind::kPlaneAngle, 5, 0, {}, 6},
                   {"epsilon", Kind::kPlaneAngle, 6},
                   {"beta'", Kind::kPlaneRate, 0},
                   {"Theta'", Kind::kPlaneRate, 1, 0, {}, 0},
                   {"gamma'", Kind::kPlaneRate, 2},
                   {"Phi'", Kind::kPlaneRate, 3, 0, {}, 4},
                   {"delta'", Kind::kPlaneRate, 4}};
  const auto printed = [&p](double t, PublishedValue::Kind kind, const char* source,
                            std::initializer_list<std::pair<double, double>> values) {
    int observable = 0;
    for (const auto& [value, last_digit] : values)
      p.published.push_back({observable++, t, value, last_digit, kind, source});
  };
  const char* const computed = "extrapolation in quadruple precision, index 1";
  printed(0.01, PublishedValue::Kind::kComputed, computed, {{2.16011313153152651, 1e-15}});
  printed(0.02, PublishedValue::Kind::kComputed, computed, {{8.18490588966167554, 1e-15}});
  printed(0.03, PublishedValue::Kind::kPublished, "IVP test set, PSIDE at tolerance 1e-14",
          {{15.81077119629904, 1e-14},
           {-15.75637105984298, 1e-14},
           {0.04082224013073101, 1e-17},
           {-0.5347301163226948, 1e-16},
           {0.5244099658805304, 1e-16},
           {0.5347301163226948, 1e-16},
           {1.048080741042263, 1e-15},
           {1139.920302151208, 1e-12},
           {-1424.379294994111, 1e-12},
           {11.03291221937134, 1e-14},
           {19.29337464421385, 1e-14},
           {0.5735699284790808, 1e-16}});
  printed(0.03, PublishedValue::Kind::kComputed, computed,
          {{15.8107711951537071, 1e-15},
           {-15.7563710584118395, 1e-15},
           {0.0408222401196458049, 1e-18},
           {-0.534730116342079594, 1e-16},
           {0.524409965879954069, 1e-16},
           {0.534730116342079594, 1e-16},
           {1.04808074104193787, 1e-15},
           {1139.92030225910606, 1e-12},
           {-1424.37929517754007, 1e-12},
           {11.0329119106185937, 1e-14},
           {19.2933741050320408, 1e-14},
           {0.573569914829502454, 1e-16}});
  p.library_measures = {
      {"mescd of the seven angles at 0.03 s",
       LibraryMeasure::Formula::kSignificantDigits,
       {0, 1, 2, 3, 4, 5, 6},
       {15.8107711951537071, -15.7563710584118395, 0.0408222401196458049, -0.534730116342079594,
        0.524409965879954069, 0.534730116342079594, 1.04808074104193787},
       0.03}};
}

Problem BuildAndrews(const ProblemOptions&) {
  Problem p;
  p.name = "andrews";
  p.title = "Andrews' squeezing mechanism";
  p.description =
      "Seven plane bodies in three loops, driven from rest to 1140 rad/s within 0.03 s. The "
      "community's work-precision standard for constrained motion: it stresses a small time scale "
      "and loops, and in space redundant constraints. The published values carry about nine "
      "digits.";
  p.source =
      "Schiehlen 1990; IVP test set (Bari), andrews; IFToMM Library of Computational Benchmark "
      "Problems, A03";
  AddMechanism(p);
  p.end_time = 0.03;
  p.length = 0.04;
  p.time = 1e-3;
  p.energy_reference = 2.5;  // largest kinetic energy plus the range of the spring's, rounded
  p.conservative = false;
  p.planar = true;
  AddKnownValues(p);
  p.papers_step = 1e-5;
  // Halved, and each sample, those at 0.01 s and 0.02 s among them, is the end of a step.
  p.fixed_steps = {0.03 / 600, 0.03 / 1200, 0.03 / 2400, 0.03 / 4800, 0.03 / 9600, 0.03 / 19200};
  p.accuracy_required_ode = 1e-8;
  p.accuracy_required_dae = 1e-8;
  SetSampleTimes(p);
  return p;
}

}  // namespace

ProblemFamily AndrewsFamily() {
  return {"andrews", "Andrews' squeezing mechanism", {}, {"andrews"}, BuildAndrews};
}

}  // namespace mbsbench
