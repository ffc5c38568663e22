#include "harness/store/sha1.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace mbsbench {
namespace {

// FIPS 180-4, examples of the standard.
TEST(Sha1, AgreesWithTheExamplesOfTheStandard) {
  EXPECT_EQ(Sha1("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(Sha1(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(Sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
}

TEST(Sha1, OfFilesIsTheHashOfTheirBytesInOrder) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "mbsbench-sha1-test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "a") << "a";
  std::ofstream(folder / "bc") << "bc";
  EXPECT_EQ(Sha1OfFiles({folder / "a", folder / "bc"}), Sha1("abc"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace mbsbench
