#include "harness/store/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>

#include "harness/store/store_error.h"
#include "tests/support/command.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;

std::string TextOf(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class Write>
std::string Complaint(const Write& write) {
  try {
    write();
  } catch (const StoreError& error) {
    return error.what();
  }
  return "";
}

class FilesTest : public testing::Test {
 protected:
  std::size_t Files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  TemporaryFolder folder_;
};

// A reader that has the file open keeps the whole earlier text.
TEST_F(FilesTest, AFileIsReplacedInOneStepAndNothingElseIsLeft) {
  const std::string file = folder_.File("a.txt");
  WriteFile(file, "before", "--x");
  std::ifstream reader(file);
  WriteFile(file, "after", "--x");
  EXPECT_EQ("before", std::string(std::istreambuf_iterator<char>(reader), {}));
  EXPECT_EQ("after", TextOf(file));
  CopyFile(file, folder_.File("b.txt"), "--x");
  EXPECT_EQ("after", TextOf(folder_.File("b.txt")));
  EXPECT_EQ(2u, Files());
}

TEST_F(FilesTest, ALinkStaysALinkAndADeviceIsWrittenTo) {
  const std::string file = folder_.File("file"), link = folder_.File("link");
  WriteFile(file, "before", "--x");
  fs::create_symlink("file", link);
  WriteFile(link, "after", "--x");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ("after", TextOf(file));
  fs::create_symlink("later", folder_.File("dangling"));
  WriteFile(folder_.File("dangling"), "first", "--x");
  EXPECT_TRUE(fs::is_symlink(folder_.File("dangling")));
  EXPECT_EQ("first", TextOf(folder_.File("later")));
  WriteFile("/dev/null", "text", "--x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(FilesTest, ALinkUnderTheNameOfAFileThatTheProgramChoseIsReplacedAndItsTargetKept) {
  WriteFile(folder_.File("target"), "kept", "--x");
  for (const char* target : {"target", "nothing", "link"}) {
    const std::string link = folder_.File("link");
    fs::remove(link);
    fs::create_symlink(target, link);
    WriteFile(link, "text", "--x", false, OnLink::kReplace);
    EXPECT_FALSE(fs::is_symlink(link)) << target;
    EXPECT_EQ("text", TextOf(link)) << target;
  }
  EXPECT_EQ("kept", TextOf(folder_.File("target")));
  EXPECT_EQ(2u, Files());
}

TEST_F(FilesTest, AReplacedFileKeepsItsModeAndANewOneHasThatOfTheUmask) {
  const std::string file = folder_.File("file");
  const auto mode = [&file] { return fs::status(file).permissions(); };
  WriteFile(file, "before", "--x");
  std::ofstream(folder_.File("plain")) << "by a stream";
  EXPECT_EQ(fs::status(folder_.File("plain")).permissions(), mode());
  fs::permissions(file, fs::perms(0640));
  WriteFile(file, "after", "--x");
  EXPECT_EQ(fs::perms(0640), mode());
  CopyFile(folder_.File("plain"), file, "--x");
  EXPECT_EQ(fs::perms(0640), mode());
}

TEST_F(FilesTest, AFileThatCannotBeWrittenIsNamedWithTheCauseAndTheOption) {
  const std::string none = folder_.File("none/file"), because = ": No such file or directory. ";
  EXPECT_EQ("the file '" + none + "' cannot be written" + because + "Give another one by --junit.",
            Complaint([&] { WriteFile(none, "x", "--junit"); }));
  WriteFile(folder_.File("file"), "x", "--x");
  const std::string inner = folder_.File("file/inner");
  EXPECT_EQ(
      "the folder '" + inner + "' cannot be made: Not a directory. Give another one by --output.",
      Complaint([&] { MakeFolder(inner, "--output"); }));
  fs::create_symlink("circle", folder_.File("circle"));
  EXPECT_THAT(Complaint([&] { WriteFile(folder_.File("circle"), "x", "--x"); }),
              testing::HasSubstr("Too many levels of symbolic links"));
  fs::remove(folder_.File("circle"));
  // A full disk.
  EXPECT_THAT(Complaint([] { WriteFile("/dev/full", "x", "--junit"); }),
              testing::HasSubstr("No space left on device"));
  EXPECT_EQ(1u, Files());
}

// Someone who may write to the folder cannot know the name of the file that is being written.
TEST_F(FilesTest, LinksInTheFolderAreNotFollowed) {
  const std::string file = folder_.File("a.txt"), other = folder_.File("other");
  WriteFile(other, "kept", "--x");
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  fs::create_symlink(other, folder_.path() / (".a.txt." + std::string(host.data()) + "." +
                                              std::to_string(getpid())));
  WriteFile(file, "text", "--x");
  CopyFile(file, folder_.File("b.txt"), "--x");
  EXPECT_EQ("kept", TextOf(other));
  EXPECT_FALSE(fs::is_symlink(file));
}

}  // namespace
}  // namespace mbsbench
