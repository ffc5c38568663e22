#include "reference/closed_forms/plane_four_bar.h"

#include "reference/system/initial_motion.h"

namespace mbsbench::extended {

namespace {

constexpr int kMostPoints = 1 << 13;
constexpr double kNegligible = 1e-34;  // of the mean, where the series ends
constexpr int kFourBarSteps = 100;

Vec3 Across(const Vec3& v) { return {-v.y, v.x, 0}; }  // z x v
bool InPlane(const Vec3& v) { return IsZero(v.z); }
bool IsZ(const Vec3& v) { return IsZero(v.x) && IsZero(v.y) && !IsZero(v.z); }

// Joint axes that constrain no motion in the plane.
bool TurnsInPlane(const JointData& joint) {
  switch (joint.type) {
    case JointType::kBall: return true;
    case JointType::kRevolute: return IsZ(joint.on_parent.z) && IsZ(joint.on_child.z);
    case JointType::kUniversal:
      return (IsZ(joint.on_child.x) && InPlane(joint.on_parent.z)) ||
             (IsZ(joint.on_parent.z) && InPlane(joint.on_child.x));
    case JointType::kPrismatic:
    case JointType::kFixed:
    case JointType::kFree:
    case JointType::kDistance:
    case JointType::kCylindrical:
    case JointType::kPlanar: return false;
  }
  return false;
}

bool MovesInPlane(const BodyMotion& m) {
  return IsZero(m.position.z) && IsZero(m.orientation.x) && IsZero(m.orientation.y) &&
         IsZero(m.velocity.z) && IsZero(m.angular_velocity.x) && IsZero(m.angular_velocity.y);
}

bool IsFourBar(const Problem& problem) {
  const System& s = problem.system;
  if (s.bodies.size() != 3 || s.joints.size() != 3 || s.loop_joints.size() != 1 ||
      !s.forces.empty() || s.gravity.z != 0) {
    return false;
  }
  const auto joins = [](const Joint& joint, int parent, int child) {
    return joint.parent == parent && joint.child == child;
  };
  const auto is = [](const Joint& joint, JointType a, JointType b) {
    return joint.type == a || joint.type == b;
  };
  const JointType pin = JointType::kRevolute;
  return joins(s.joints[0], kGround, 0) && joins(s.joints[1], 0, 1) &&
         joins(s.joints[2], kGround, 2) && joins(s.loop_joints[0], 1, 2) &&
         is(s.joints[0], pin, pin) && is(s.joints[1], pin, JointType::kBall) &&
         is(s.joints[2], pin, pin) && is(s.loop_joints[0], pin, JointType::kUniversal);
}

}  // namespace

std::optional<PlaneFourBar> PlaneFourBar::Of(const Problem& problem) {
  if (!IsFourBar(problem)) return {};
  const SystemData system(problem.system);
  const JointData& top = system.loop_joints[0];
  for (const JointData* j : {&system.joints[0], &system.joints[1], &system.joints[2], &top}) {
    if (!TurnsInPlane(*j) || !InPlane(j->on_parent.position) || !InPlane(j->on_child.position)) {
      return {};
    }
  }
  const Motion start = InitialMotion(system, problem);
  PlaneFourBar p;
  const std::array<Vec3, 3> far{system.joints[1].on_parent.position, top.on_parent.position,
                                top.on_child.position};
  for (std::size_t b = 0; b < 3; ++b) {
    const Mat3& inertia = system.bodies[b].inertia;
    if (!MovesInPlane(start[b]) || !IsZero(inertia(0, 2)) || !IsZero(inertia(1, 2))) return {};
    Link& link = p.links_[b];
    link.near = system.joints[b].on_child.position;
    const Vec3 along = far[b] - link.near;
    link.length = Norm(along);
    if (IsZero(link.length)) return {};
    link.turn = Atan2(along.y, along.x);
    link.mass = system.bodies[b].mass;
    link.inertia = inertia(2, 2);
  }
  p.pins_ = {system.joints[0].on_parent.position, system.joints[2].on_parent.position};
  p.gravity_ = system.gravity;
  const auto point = [&start](std::size_t b, const Vec3& at) {
    return start[b].position + RotationOf(start[b].orientation) * at;
  };
  const Vec3 knee = point(0, far[0]), line = p.pins_[1] - knee;
  p.branch_ = Dot(Across(line), point(1, far[1]) - knee) < 0 ? -1 : 1;
  const Vec3 crank = knee - p.pins_[0];
  p.start_ = Atan2(crank.y, crank.x);
  const Real rate = start[0].angular_velocity.z;
  const std::optional<Position> position = p.PositionAt(p.start_);
  if (!position || IsZero(rate)) return {};
  const EnergyTerms terms = p.TermsOf(*position);
  p.energy_ = terms.inertia * rate * rate / 2 + terms.potential;
  p.sign_ = rate < 0 ? -1 : 1;
  if (!p.Expand()) return {};
  p.start_f_ = p.Integrate(p.start_).F;
  return p;
}

// The knee on its circle; the top where the circles of coupler and rocker meet. Rates from
// knee' + w_1 z x a = w_2 z x c, a = knee -> top, c = right pin -> top, along c and along a.
std::optional<PlaneFourBar::Position> PlaneFourBar::PositionAt(Real theta) const {
  const Vec3 crank = links_[0].length * Vec3{Cos(theta), Sin(theta), 0};
  const Vec3 knee = pins_[0] + crank, line = pins_[1] - knee;
  const Real d = Norm(line), l1 = links_[1].length, l2 = links_[2].length;
  const Real along = (d * d + l1 * l1 - l2 * l2) / (2 * d), squared = l1 * l1 - along * along;
  if (!(squared > 0)) return {};
  const Vec3 e = (1 / d) * line;
  const Vec3 a = along * e + (branch_ * Sqrt(squared)) * Across(e), c = knee + a - pins_[1];
  const Vec3 knee_rate = Across(crank);
  Position p;
  p.direction = {theta, Atan2(a.y, a.x), Atan2(c.y, c.x)};
  p.rate = {1, -Dot(knee_rate, c) / Dot(Across(a), c), Dot(knee_rate, a) / Dot(Across(c), a)};
  const std::array<Vec3, 3> near{pins_[0], knee, pins_[1]};
  for (std::size_t b = 0; b < 3; ++b) {
    const Mat3 r = RotationOf(AxisAngle({0, 0, 1}, p.direction[b] - links_[b].turn));
    const Vec3 arm = r * -links_[b].near;  // near pin -> mass centre
    p.centre[b] = near[b] + arm;
    p.centre_rate[b] = p.rate[b] * Across(arm);
  }
  p.centre_rate[1] = p.centre_rate[1] + knee_rate;
  return p;
}

PlaneFourBar::EnergyTerms PlaneFourBar::TermsOf(const Position& p) const {
  EnergyTerms terms;
  for (std::size_t b = 0; b < 3; ++b) {
    terms.inertia += links_[b].mass * Dot(p.centre_rate[b], p.centre_rate[b]) +
                     links_[b].inertia * p.rate[b] * p.rate[b];
    terms.potential -= links_[b].mass * Dot(gravity_, p.centre[b]);
  }
  return terms;
}

bool PlaneFourBar::Expand() {
  for (int points = 256; points <= kMostPoints; points *= 2) {
    const auto n = static_cast<std::size_t>(points);
    std::vector<Real> f(n), cosine(n), sine(n);
    for (std::size_t i = 0; i < n; ++i) {
      const Real theta = 2 * Pi() * static_cast<int>(i) / points;
      const std::optional<Position> position = PositionAt(theta);
      if (!position) return false;
      const EnergyTerms terms = TermsOf(*position);
      if (!(energy_ > terms.potential)) return false;  // turns back before
      f[i] = Sqrt(terms.inertia / (2 * (energy_ - terms.potential)));
      cosine[i] = Cos(theta);
      sine[i] = Sin(theta);
    }
    harmonics_.clear();
    mean_ = 0;
    for (Real value : f) mean_ += value / points;
    int small = 0;  // coefficients in a row; every other one may vanish by symmetry
    for (std::size_t k = 1; k < n / 2 && small < 4; ++k) {
      Harmonic h;
      for (std::size_t i = 0; i < n; ++i) {
        h.cosine += f[i] * cosine[k * i % n];
        h.sine += f[i] * sine[k * i % n];
      }
      h = {2 * h.cosine / points, 2 * h.sine / points};
      const bool negligible = Abs(h.cosine) + Abs(h.sine) < Real(kNegligible) * mean_;
      small = negligible ? small + 1 : 0;
      harmonics_.push_back(h);
    }
    // Aliasing is of the size of the coefficients at n: far below where the series has ended at n / 4.
    if (small == 4 && harmonics_.size() < n / 4) return true;
  }
  return false;
}

PlaneFourBar::Integral PlaneFourBar::Integrate(Real theta) const {
  Integral at{mean_ * theta, mean_};
  const Real c1 = Cos(theta), s1 = Sin(theta);
  Real c = c1, s = s1;
  int k = 0;
  for (const Harmonic& h : harmonics_) {
    ++k;
    at.F += (h.cosine * s - h.sine * c) / k;
    at.f += h.cosine * c + h.sine * s;
    const Real next = c * c1 - s * s1;
    s = s * c1 + c * s1;
    c = next;
  }
  return at;
}

Motion PlaneFourBar::At(Real t) const {
  const Real turns = Floor(t / period());
  const Real target = start_f_ + sign_ * (t - turns * period());
  // F differs from its mean slope by a periodic part: Newton between bounds a turn to either side.
  Real theta = start_ + (target - start_f_) / mean_, low = theta - 2 * Pi(),
       high = theta + 2 * Pi();
  for (int i = 0; i < kFourBarSteps; ++i) {
    const Integral at = Integrate(theta);
    const Real miss = at.F - target;
    (miss > 0 ? high : low) = theta;
    Real next = theta - miss / at.f;
    if (!(next >= low && next <= high)) next = (low + high) / 2;
    const Real change = Abs(next - theta);
    theta = next;
    if (change < Real(1e-32)) break;
  }
  const Position p = *PositionAt(theta);
  const EnergyTerms terms = TermsOf(p);
  const Real rate = sign_ * Sqrt(2 * (energy_ - terms.potential) / terms.inertia);
  Motion motion(3);
  for (std::size_t b = 0; b < 3; ++b) {
    motion[b] = {p.centre[b],
                 AxisAngle({0, 0, 1}, p.direction[b] - links_[b].turn),
                 rate * p.centre_rate[b],
                 {0, 0, rate * p.rate[b]}};
  }
  return motion;
}

}  // namespace mbsbench::extended
