#include "harness/conform/readings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "problems/io/link_frames.h"
#include "problems/model/kinematics.h"
#include "problems/model/topology.h"
#include "problems/model/zero_coordinates.h"

namespace mbsbench {

namespace {

constexpr double kReadAlike = 1e-6;

std::size_t Slot(int i) { return static_cast<std::size_t>(i); }

std::vector<double> NumbersIn(const Vector3& v) { return {v.x, v.y, v.z}; }
std::vector<double> NumbersIn(const SymmetricMatrix3& m) {
  return {m.entries.begin(), m.entries.end()};
}

// Zero, but free bodies as at the start.
JointState CoordinatesOfReading(const Problem& problem) {
  const System& system = problem.system;
  const JointOffsets at = OffsetsOf(system);
  JointState zero = ZeroCoordinates(system);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    if (system.joints[j].type == JointType::kFree)
      std::copy_n(problem.initial.joints.q.begin() + at.q[j], 7, zero.q.begin() + at.q[j]);
  }
  return zero;
}

// The inertia of a point of this mass at d.
void AddPoint(double mass, const Vector3& d, SymmetricMatrix3& inertia) {
  const std::vector<double> along = NumbersIn(d);
  for (int i = 0; i < 3; ++i) {
    for (int k = i; k < 3; ++k)
      inertia(i, k) += mass * ((i == k ? Dot(d, d) : 0) - along[Slot(i)] * along[Slot(k)]);
  }
}

// Adds a body to the one that carries it.
void Merge(const BodyReading& body, BodyReading& into) {
  const double mass = into.mass + body.mass;
  for (std::size_t k = 0; k < 6; ++k) into.inertia.entries[k] += body.inertia.entries[k];
  if (mass > 0) {
    const Vector3 centre = 1 / mass * (into.mass * into.centre + body.mass * body.centre);
    AddPoint(into.mass, into.centre - centre, into.inertia);
    AddPoint(body.mass, body.centre - centre, into.inertia);
    into.centre = centre;
  }
  into.mass = mass;
}

class Comparer {
 public:
  Comparer(const Problem& ours, const ModelReading& theirs) : system_(ours.system) {
    for (const BodyReading& body : theirs.bodies) bodies_[body.name] = &body;
    for (const JointReading& joint : theirs.joints) joints_[joint.name] = &joint;
    states_ = ForwardKinematics(system_, CoordinatesOfReading(ours));
    for (const BodyState& state : states_) length_ = std::max(length_, Norm(state.position));
  }

  ComparedReading Take() {
    CompareBodies();
    CompareJoints();
    return std::move(compared_);
  }

 private:
  void Add(const std::string& element, const char* quantity, std::vector<double> ours,
           std::vector<double> theirs) {
    compared_.differences.push_back({element, quantity, std::move(ours), std::move(theirs)});
  }
  // `size`: what differences are relative to, at least the largest of the numbers. Numbers that are not finite are not compared.
  void Compare(const std::string& element, const char* quantity, const std::vector<double>& ours,
               const std::vector<double>& theirs, double size = 0) {
    for (const std::vector<double>* numbers : {&ours, &theirs}) {
      for (const double number : *numbers) size = std::max(size, std::abs(number));
    }
    for (std::size_t k = 0; k < ours.size(); ++k) {
      if (!(std::abs(ours[k] - theirs[k]) > kReadAlike * size)) continue;
      Add(element, quantity, ours, theirs);
      return;
    }
  }

  void CompareBodies() {
    const Topology topology = TopologyOf(system_);
    std::vector<BodyReading> ours;
    for (std::size_t b = 0; b < system_.bodies.size(); ++b) {
      const Body& body = system_.bodies[b];
      ours.push_back({.name = body.name,
                      .mass = body.mass,
                      .centre = states_[b].position,
                      .inertia = TurnedInertia(states_[b].orientation, body.inertia)});
    }
    for (auto b = topology.order.rbegin(); b != topology.order.rend(); ++b) {  // tips first
      const BodyReading& mine = ours[Slot(*b)];
      const bool has_mass = mine.mass > 0 || mine.inertia.entries != SymmetricMatrix3{}.entries;
      if (!has_mass || bodies_.contains(mine.name)) continue;
      if (system_.joints[Slot(topology.joint[Slot(*b)])].type != JointType::kFixed) {
        Add(ElementOf(mine), "mass [kg]", {mine.mass}, {});
        continue;
      }
      compared_.merged.push_back(mine.name);
      const int parent = topology.parent[Slot(*b)];
      if (parent != kGround) Merge(mine, ours[Slot(parent)]);
    }
    std::ranges::reverse(compared_.merged);
    for (const BodyReading& mine : ours) {
      const auto found = bodies_.find(mine.name);
      if (found == bodies_.end()) continue;
      CompareBody(mine, *found->second);
      bodies_.erase(found);
    }
    for (const auto& [name, theirs] : bodies_) {
      if (theirs->mass > 0) Add(ElementOf(*theirs), "mass [kg]", {}, {theirs->mass});
    }
  }
  void CompareBody(const BodyReading& ours, const BodyReading& theirs) {
    const std::string element = ElementOf(ours);
    Compare(element, "mass [kg]", {ours.mass}, {theirs.mass});
    if (ours.mass > 0 && theirs.mass > 0)
      Compare(element, "mass centre [m]", NumbersIn(ours.centre), NumbersIn(theirs.centre),
              length_);
    Compare(element, "inertia [kg m^2]", NumbersIn(ours.inertia), NumbersIn(theirs.inertia));
  }
  static std::string ElementOf(const BodyReading& body) {
    return fmt::format("body '{}'", body.name);
  }

  double DampingOf(std::size_t joint) const {
    double damping = 0;
    for (const JointSpringDamper& element : system_.forces.Of<JointSpringDamper>()) {
      if (Slot(element.joint) == joint) damping += element.damping;
    }
    return damping;
  }
  void CompareJoints() {
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
      const Joint& joint = system_.joints[j];
      if (std::ranges::find(kSingleAxisTypes, joint.type) == kSingleAxisTypes.end()) continue;
      const std::string element = fmt::format("joint '{}'", joint.name);
      const Quaternion turn =
          states_[Slot(joint.child)].orientation * joint.child_frame.orientation;
      const std::vector<double> axis = NumbersIn(Rotate(turn, {0, 0, 1}));
      const auto found = joints_.find(joint.name);
      if (found == joints_.end()) {
        Add(element, "axis", axis, {});
        continue;
      }
      const JointReading& theirs = *found->second;
      Compare(element, "axis", axis, NumbersIn(theirs.axis));
      Compare(element, "damping", {DampingOf(j)}, {theirs.damping});
      joints_.erase(found);
      CompareArmature(theirs);
    }
    // Those of other names are parts of our joints with several axes.
    for (const auto& [name, theirs] : joints_) CompareArmature(*theirs);
  }
  // Our model has none.
  void CompareArmature(const JointReading& theirs) {
    Compare(fmt::format("joint '{}'", theirs.name), "armature", {0}, {theirs.armature});
  }

  const System& system_;
  std::vector<BodyState> states_;
  double length_ = 0;  // largest distance of a mass centre from the origin
  std::map<std::string, const BodyReading*> bodies_;
  std::map<std::string, const JointReading*> joints_;
  ComparedReading compared_;
};

// What several readers say about the same numbers of ours.
struct SharedDifference {
  const ReadingDifference* first = nullptr;
  std::vector<const ReadingDifference*> by;  // per reader; null: it agrees

  bool IsOn(const ReadingDifference& other) const {
    return first->element == other.element && first->quantity == other.quantity &&
           first->ours == other.ours && first->theirs.empty() == other.theirs.empty();
  }
  // One of the readers lacks the element, or we do.
  bool IsOfAnElement() const { return first->ours.empty() || first->theirs.empty(); }
  bool IsIn(std::size_t component) const {
    return std::ranges::any_of(by, [&](const ReadingDifference* one) {
      if (one == nullptr) return false;
      const auto by_how_much = [&](std::size_t k) {
        return std::abs(one->ours[k] - one->theirs[k]);
      };
      double largest = 0;
      for (std::size_t k = 0; k < one->ours.size(); ++k)
        largest = std::max(largest, by_how_much(k));
      return by_how_much(component) > 1e-3 * largest;
    });
  }
};

std::vector<SharedDifference> SharedDifferences(const std::vector<ComparedReading>& readers) {
  std::vector<SharedDifference> shared;
  for (std::size_t r = 0; r < readers.size(); ++r) {
    for (const ReadingDifference& difference : readers[r].differences) {
      auto at = std::ranges::find_if(
          shared, [&](const SharedDifference& one) { return one.IsOn(difference); });
      if (at == shared.end()) {
        SharedDifference added{.first = &difference, .by = {}};
        added.by.resize(readers.size());
        at = shared.insert(at, std::move(added));
      }
      at->by[r] = &difference;
    }
  }
  std::ranges::stable_sort(
      shared, {}, [](const SharedDifference& one) -> const auto& { return one.first->element; });
  return shared;
}

// Without the round-off beside larger numbers.
std::string NumberIn(const std::vector<double>& numbers, std::size_t component) {
  double largest = 0;
  for (const double number : numbers) largest = std::max(largest, std::abs(number));
  const double number = numbers[component];
  return fmt::format("{:.7g}", std::abs(number) > 1e-12 * largest ? number : 0);
}

// "inertia [kg m^2]": "inertia xy [kg m^2]"
std::string ComponentName(std::string quantity, std::size_t component, std::size_t of) {
  static constexpr const char* kOfVector[] = {" x", " y", " z"};
  static constexpr const char* kOfInertia[] = {" xx", " xy", " xz", " yy", " yz", " zz"};
  if (of > 1)
    quantity.insert(std::min(quantity.find(" ["), quantity.size()),
                    of == 3 ? kOfVector[component] : kOfInertia[component]);
  return quantity;
}

}  // namespace

ComparedReading Compared(const Problem& ours, const ModelReading& theirs) {
  return Comparer(ours, theirs).Take();
}

std::vector<ReadingRow> RowsOf(const std::vector<ComparedReading>& readers) {
  std::vector<ReadingRow> rows;
  for (const SharedDifference& shared : SharedDifferences(readers)) {
    const ReadingDifference& first = *shared.first;
    const bool is_of_an_element = shared.IsOfAnElement();
    const std::size_t count = is_of_an_element ? 1 : first.ours.size();
    for (std::size_t k = 0; k < count; ++k) {
      if (!is_of_an_element && !shared.IsIn(k)) continue;
      const auto text = [&](const std::vector<double>& numbers) -> std::string {
        if (numbers.empty()) return "absent";
        return is_of_an_element && numbers.size() > 1 ? "present" : NumberIn(numbers, k);
      };
      ReadingRow& row = rows.emplace_back();
      row.element = first.element;
      row.quantity = ComponentName(first.quantity, k, count);
      row.ours = text(first.ours);
      for (const ReadingDifference* theirs : shared.by)
        row.theirs.push_back(theirs == nullptr ? "=" : text(theirs->theirs));
    }
  }
  return rows;
}

}  // namespace mbsbench
