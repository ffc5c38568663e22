// The promises about accelerations and reactions of one state.
#include "harness/conform/promises.h"
#include "harness/conform/tried_systems.h"
#include "problems/test_systems/random_loops.h"

namespace mbsbench {

namespace {

// Ten digits on trees, nine where loops may be nearly dependent or drivers work against each other.
constexpr double kTenDigits = 1e-10, kNineDigits = 1e-9;

Promise About(const std::string& name, const std::string& statement, double bound,
              const std::function<TriedSystems()>& systems) {
  return {name, statement, "error of accelerations and reactions",
          [bound, systems](const MethodChoice& method) {
            return TryOnSystems(method, systems(), bound);
          }};
}

std::string Hyphenated(std::string_view words) {
  std::string name(words);
  for (char& c : name) c = c == ' ' || c == '_' ? '-' : c;
  return name;
}

struct NamedElement {
  ForceElement kind;
  const char* name;
};
constexpr NamedElement kElements[] = {{ForceElement::kSpringDamper, "spring-damper"},
                                      {ForceElement::kJointSpringDamper, "joint-spring"},
                                      {ForceElement::kAppliedForce, "applied-force"},
                                      {ForceElement::kGroundSpring, "ground-spring"}};

}  // namespace

std::vector<Promise> AccelerationPromises() {
  std::vector<Promise> all;
  for (JointType type : AllTreeJointTypes()) {
    const std::string name = Hyphenated(Name(type));
    all.push_back(About("tree-joint-" + name,
                        "gives accelerations and reactions of trees with " +
                            std::string(Name(type)) + " joints to ten digits",
                        kTenDigits, [type] { return TreesWith(type); }));
  }
  for (const NamedElement& element : kElements) {
    all.push_back(About(std::string("force-") + element.name,
                        std::string("gives accelerations and reactions under force elements of the "
                                    "kind ") +
                            element.name + " to ten digits",
                        kTenDigits, [kind = element.kind] { return TreesWith(kind); }));
  }
  for (JointType type : RandomLoopOptions{}.loop_types) {
    const std::string name = Hyphenated(Name(type));
    all.push_back(About("loop-joint-" + name,
                        "gives accelerations and reactions of loops closed by a " +
                            std::string(Name(type)) + " joint to nine digits",
                        kNineDigits, [type] { return LoopsWith(type); }));
  }
  all.push_back(About("trees",
                      "gives accelerations and reactions of 100 random trees of up to 40 bodies to "
                      "ten digits",
                      kTenDigits, Trees));
  all.push_back(
      About("planar-trees",
            "gives accelerations and reactions of 30 random trees in a plane to ten digits",
            kTenDigits, PlanarTrees));
  all.push_back(About("right-angles",
                      "gives accelerations and reactions of trees with joints at right angles to "
                      "ten digits",
                      kTenDigits, TreesAtRightAngles));
  all.push_back(
      About("loops",
            "gives accelerations and reactions of 50 random systems of one to three loops "
            "to nine digits",
            kNineDigits, Loops));
  all.push_back(About("redundant",
                      "gives accelerations and unique reactions of 15 mechanisms with redundant "
                      "constraints, turned or not, and marks what is not unique",
                      kTenDigits, RedundantOnes));
  all.push_back(About("braced-welds",
                      "takes joints between welded bodies for no constraint on the motion",
                      kTenDigits, BracedOnes));
  all.push_back(About("drivers-on-trees",
                      "holds driven joints of trees at their rates, with accelerations and "
                      "reactions to nine digits",
                      kNineDigits, DrivenTrees));
  all.push_back(About("drivers-on-loops",
                      "holds driven joints of loops at their rates, with accelerations and "
                      "reactions to nine digits",
                      kNineDigits, DrivenLoops));
  all.push_back(About("turns", "winds torsion springs up by the angle with all its turns",
                      kTenDigits, WoundWheels));
  all.push_back({"momentum", "changes momentum and angular momentum of free trees by gravity alone",
                 "imbalance of the inertia forces", [](const MethodChoice& method) {
                   return TryOnSystems(method, FreeTrees(), kTenDigits, MomentumImbalanceOf);
                 }});
  return all;
}

}  // namespace mbsbench
