#include "reference/data_parameters.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace mbsbench::extended {

namespace {

constexpr std::array<const char*, 3> kAxis = {"x", "y", "z"};

class Collector {
 public:
  Collector(System& system, bool planar) : system_(system), planar_(planar) {}

  void Add(const std::string& name, double& value) {
    if (value != 0) parameters_.push_back({name, {&value}});
  }

  void AddInertia(Body& body) {
    for (int i = planar_ ? 2 : 0; i < 3; ++i) {
      for (int k = i; k < 3; ++k) {
        Add(std::string("inertia ") + kAxis[static_cast<std::size_t>(i)] +
                kAxis[static_cast<std::size_t>(k)] + " of " + body.name,
            body.inertia(i, k));
      }
    }
  }

  // A point of the body, named after its joint or element.
  void AddPoint(const std::string& of, int body, Vector3& point) {
    const auto [at, is_new] = points_.try_emplace({body, point.x, point.y, point.z});
    const std::array<double*, 3> entries = {&point.x, &point.y, &point.z};
    for (std::size_t i = 0; i < (planar_ ? 2u : 3u); ++i) {
      if (*entries[i] == 0) continue;
      if (is_new) {
        at->second[i] = parameters_.size();
        parameters_.push_back({std::string(kAxis[i]) + " of " + of + " on " + NameOf(body), {}});
      }
      parameters_[at->second[i]].places.push_back(entries[i]);
    }
  }

  void AddVector(const std::string& name, Vector3& v, bool turns) {
    const std::array<double*, 3> entries = {&v.x, &v.y, &v.z};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!planar_ || (i == 2) == turns) Add(name + " " + kAxis[i], *entries[i]);
    }
  }

  void AddMotion(const std::string& name, DriverMotion& motion) {
    const auto add = [&](const char* what, double& value) { Add(what + (" of " + name), value); };
    switch (motion.kind) {
      case MotionKind::kConstantRate: add("rate", motion.rate); break;
      case MotionKind::kHarmonic:
        add("amplitude", motion.amplitude), add("mean", motion.mean);
        add("angular frequency", motion.angular_frequency), add("phase", motion.phase);
        break;
      case MotionKind::kPolynomial:
        for (double& c : motion.coefficients) add("coefficient", c);
        break;
      case MotionKind::kRamp:
        add("start", motion.from), add("goal", motion.to);
        add("begin", motion.begin), add("duration", motion.duration);
        break;
      case MotionKind::kArcsine:
      case MotionKind::kSum: break;
    }
    for (DriverMotion& term : motion.terms) AddMotion(name, term);
  }

  // The numbers of a force element.
  struct Fields : FieldVisitor {
    void Point(std::string_view, int body, Vector3& point) const { to.AddPoint(name, body, point); }
    void Vector(std::string_view key, Quantity quantity, int, Vector3& v) const {
      to.AddVector(Words(key) + " of " + name, v, quantity == Quantity::kMoment);
    }
    void Number(std::string_view key, Quantity quantity, double& value) const {
      const bool is_coordinate = quantity == Quantity::kJointCoordinate;
      to.Add(Words(key) + (is_coordinate ? " coordinate of " : " of ") + name, value);
    }
    void PerAxis(std::string_view key, Quantity quantity, Vector3& v) const {
      const std::string words = (IsOfTurn(quantity) ? "turn " : "") + Words(key) + " of " + name;
      to.Add(words + " x", v.x), to.Add(words + " y", v.y), to.Add(words + " z", v.z);
    }
    void Effort(bool, EffortOverTime& effort) const {
      if (effort.table.empty()) return to.AddMotion(name, effort.function);
      for (auto& [time, value] : effort.table) to.Add("effort of " + name, value);
    }
    static std::string Words(std::string_view key) {
      std::string words(key);
      std::ranges::replace(words, '_', ' ');
      return words;
    }
    Collector& to;
    const std::string& name;
  };

  void AddAll() {
    for (Body& body : system_.bodies) {
      Add("mass of " + body.name, body.mass);
      AddInertia(body);
    }
    for (auto* joints : {&system_.joints, &system_.loop_joints}) {
      for (Joint& joint : *joints) {
        AddPoint(joint.name, joint.parent, joint.parent_frame.position);
        AddPoint(joint.name, joint.child, joint.child_frame.position);
        Add("length of " + joint.name, joint.length);
      }
    }
    system_.forces.ForEach([this](auto& e) { VisitFields(e, Fields{{}, *this, e.name}); });
    for (Driver& driver : system_.drivers) AddMotion(driver.name, driver.motion);
    if (system_.rope_flight) {
      RopeFlight& rope = *system_.rope_flight;
      const std::string of = " of " + rope.name;
      Add("rail length" + of, rope.rail_length);
      Add("burning time" + of, rope.burn_time);
      Add("propellant" + of, rope.propellant_mass);
      Add("thrust" + of, rope.thrust);
      Add("link length" + of, rope.link_length);
      Add("line density" + of, rope.line_density);
      Add("air density" + of, rope.air_density);
      Add("body diameter" + of, rope.body_diameter);
      Add("body drag" + of, rope.body_drag);
      Add("rope diameter" + of, rope.rope_diameter);
      Add("tangential drag" + of, rope.tangential_drag);
      Add("normal drag" + of, rope.normal_drag);
    }
    DataParameter gravity{"gravity", {}};
    for (double* g : {&system_.gravity.x, &system_.gravity.y, &system_.gravity.z}) {
      if (*g != 0) gravity.places.push_back(g);
    }
    if (!gravity.places.empty()) parameters_.push_back(std::move(gravity));
  }

  std::vector<DataParameter> Take() { return std::move(parameters_); }

 private:
  std::string NameOf(int body) const {
    return body == kGround ? "the ground" : system_.bodies[static_cast<std::size_t>(body)].name;
  }

  System& system_;
  bool planar_;
  std::vector<DataParameter> parameters_;
  // For each point of a body the parameters of its coordinates.
  std::map<std::tuple<int, double, double, double>, std::array<std::size_t, 3>> points_;
};

}  // namespace

std::vector<DataParameter> DataParametersOf(System& system, bool planar) {
  Collector collector(system, planar);
  collector.AddAll();
  return collector.Take();
}

}  // namespace mbsbench::extended
