// The deduced structure as text.
#include <gmock/gmock.h>

#include "problems/catalog/catalog.h"
#include "tests/methods/classical_mstmm/trees.h"
#include "tests/support/random_loops.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

std::string Explain(const System& system, const char* variant) {
  return ClassicalMstmmEntry().explain(system, {variant});
}

TEST(ClassicalExplain, Print) {
  std::printf("%s\n", Explain(MakeProblem("branch4").system, "paper").c_str());
  std::printf("%s\n", Explain(MakeProblem("branchN:bodies=500").system, "general").c_str());
  RandomLoopOptions options;
  options.tree.bodies = 8;
  std::printf("%s\n", Explain(MakeRandomLoops(3, options).system, "general").c_str());
}

}  // namespace
}  // namespace mbsbench
