#include "methods/tree_motion/force_element_loads.h"

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

template <class Touch>
struct Touched : FieldVisitor {
  void BodyOrGround(std::string_view, int& body) const { touch(body); }
  void Body(std::string_view, int& body) const { touch(body); }
  const Touch& touch;
};
template <class Touch>
Touched(FieldVisitor, const Touch&) -> Touched<Touch>;

}  // namespace

ForceElementLoads::ForceElementLoads(const System& system, const GroupTree<double>& tree)
    : stations_(tree) {
  std::vector<int> touched_of_body(system.bodies.size(), -1);
  const auto touch = [&](int& body) {
    if (body == kGround) return;
    int& touched = touched_of_body[At(body)];
    if (touched < 0) {
      touched = static_cast<int>(touched_.size());
      const BodyInGroup<double>& placement = tree.placements[At(body)];
      touched_.push_back({stations_.Add(placement.group, tree), placement});
      elements_.bodies.push_back(system.bodies[At(body)]);
    }
    body = touched;
  };
  system.forces.ForEachList([&]<class Law>(const std::vector<Law>& list) {
    if constexpr (!ActsOnJoint<Law>) elements_.forces.Of<Law>() = list;
  });
  elements_.forces.ForEach([&](auto& e) { VisitFields(e, Touched{{}, touch}); });
  states_.resize(touched_.size());
  wrenches_.resize(touched_.size());
}

void ForceElementLoads::Apply(const double* y, const TreeMotion<double>& motion,
                              std::span<Load<double>> loads) {
  stations_.Track(y, motion);
  for (std::size_t k = 0; k < touched_.size(); ++k) {
    loads[At(touched_[k].placement.group)] = {};
    states_[k] = stations_.StateOf(touched_[k].station, touched_[k].placement, motion);
    wrenches_[k] = {};
  }
  AddForceElements(elements_, states_, wrenches_);
  for (std::size_t k = 0; k < touched_.size(); ++k) {
    const int group = touched_[k].placement.group;
    Load<double>& load = loads[At(group)];
    const Vec<double> arm = motion.motion(group).R * touched_[k].placement.centre;
    const Vec<double> force = Lifted(wrenches_[k].force);
    load.force = load.force + force;
    load.moment = load.moment + Lifted(wrenches_[k].moment) + Cross(arm, force);
  }
}

}  // namespace mbsbench
