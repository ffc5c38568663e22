// classical-mstmm:paper where its hinges exist.
#include "problems/catalog/catalog.h"
#include "tests/methods/classical_mstmm/trees.h"

namespace mbsbench {
namespace {

TEST(ClassicalPaper, Explore) {
  for (int planar = 0; planar < 2; ++planar) {
    for (int kind = 0; kind < 2; ++kind) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      RandomTreeOptions options;
      options.bodies = 1 + static_cast<int>(seed);
      options.types = {planar ? JointType::kRevolute : JointType::kBall};
      if (kind == 1) { if (planar) continue; options.types = {JointType::kPrismatic}; }
      options.planar = planar;
      RandomTree tree = MakeRandomTree(seed, options);
      tree.system.joint_spring_dampers.clear();
      const Verdict v = ClassicalMstmmEntry().supports(tree.system, {"paper"});
      if (!v.supported) { std::printf("%s\n", v.reason.c_str()); continue; }
      double condition = 0;
      const Distance d = DistanceToReference(tree.system, tree.state, {"paper"}, &condition);
      double cg = 0;
      const Distance dg = DistanceToReference(tree.system, tree.state, {"general"}, &cg);
      std::printf("planar %d kind %d bodies %d path %d: %.1e %.1e cond %.1e   general %.1e cond %.1e\n", planar, kind, options.bodies, LongestPath(tree.system), d.acceleration, d.reaction, condition, dg.largest(), cg);
    }}
  }
}

}  // namespace
}  // namespace mbsbench
