// A few hundred changes of every seed of the fuzzer, the same ones in every build. Each is read or
// refused with a ModelError. (The fuzzer itself is in tests/fuzz.)
#include <gtest/gtest.h>

#include <string>

#include "tests/fuzz/model_promise.h"
#include "tests/fuzz/mutations.h"
#include "tests/fuzz/seeds.h"

namespace mbsbench {
namespace {

TEST(MutatedFiles, AreReadOrRefusedWithAMessage) {
  constexpr std::uint64_t kPerSeed = 300;
  int models = 0, refused = 0;
  for (const auto& [name, text] : SeedModels()) {
    ASSERT_TRUE(KeepsThePromise(text)) << name;
    for (std::uint64_t seed = 0; seed < kPerSeed; ++seed) {
      const std::string mutated = Mutator(seed).Mutate(text);
      try {
        (KeepsThePromise(mutated) ? models : refused) += 1;
      } catch (const std::exception& error) {
        ADD_FAILURE() << name << ", seed " << seed << ": " << error.what() << "\n" << mutated;
      }
    }
  }
  // Both must occur: mutations that never broke a file, or always did, would test little.
  EXPECT_GT(models, 200);
  EXPECT_GT(refused, 1000);
}

// Every truncated file is refused: no prefix of a model is a model.
TEST(MutatedFiles, AreRefusedWhenCutAnywhere) {
  const std::string text = WriteModel(FullProblem());
  const std::size_t last = text.find_last_of('}');
  for (std::size_t size = 0; size <= last; size += 7) {
    EXPECT_FALSE(KeepsThePromise(text.substr(0, size))) << size;
  }
}

}  // namespace
}  // namespace mbsbench
