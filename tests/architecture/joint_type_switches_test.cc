// A switch over joint types names all of them, so that the compiler shows every place where a new
// type has to be considered. `default:` would silently treat it as another.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string WithoutComments(const std::string& text) {
  return std::regex_replace(text, std::regex("//[^\n]*"), "");
}

// The text in the braces that open at or after `from`, without the text in inner braces.
std::string OwnText(const std::string& text, std::size_t from) {
  std::string own;
  int depth = 0;
  for (std::size_t i = text.find('{', from); i < text.size(); ++i) {
    if (text[i] == '}' && --depth == 0) break;
    if (depth == 1) own += text[i];
    if (text[i] == '{') ++depth;
  }
  return own;
}

// Lines of the switches over joint types that have a default.
std::vector<int> SwitchesWithDefault(const std::string& source) {
  static const std::regex a_switch(R"(\bswitch\s*\()"),
      over_joint_types(
          R"(\bcase\s+(JointType::)?k(Ball|Revolute|Prismatic|Fixed|Free|Distance|Universal|Cylindrical|Planar)\s*:)"),
      a_default(R"(\bdefault\s*:)");
  std::vector<int> lines;
  if (source.find("default") == std::string::npos) return lines;
  const std::string text = WithoutComments(source);
  for (std::sregex_iterator found(text.begin(), text.end(), a_switch), end; found != end; ++found) {
    const auto at = static_cast<std::size_t>(found->position());
    const std::string own = OwnText(text, at);
    if (std::regex_search(own, over_joint_types) && std::regex_search(own, a_default)) {
      lines.push_back(1 + static_cast<int>(std::count(
                              text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')));
    }
  }
  return lines;
}

TEST(SwitchesOverJointTypes, HaveNoDefault) {
  int files = 0;
  for (const char* room :
       {"problems", "reference", "methods", "harness", "reports", "commands", "examples", "tests"}) {
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(MBSBENCH_SOURCE_DIR) / room)) {
      const std::string extension = entry.path().extension().string();
      if ((extension != ".h" && extension != ".cc") ||
          entry.path().filename() == "joint_type_switches_test.cc")
        continue;
      ++files;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      for (int line : SwitchesWithDefault(text.str())) {
        ADD_FAILURE() << entry.path().string() << ":" << line
                      << " switches over joint types and has a default: name every type";
      }
    }
  }
  EXPECT_GT(files, 300);
}

TEST(SwitchesOverJointTypes, ADefaultIsDetected) {
  EXPECT_EQ(
      std::vector<int>{2},
      SwitchesWithDefault("\nswitch (joint.type) {\n  case JointType::kBall: { f(); break; }\n"
                          "  default: g();\n}"));
  EXPECT_EQ(std::vector<int>{1}, SwitchesWithDefault("switch (t) { case kBall: default: ; }"));
  // No default; a default of an inner switch; one in a comment; and one over another type.
  EXPECT_TRUE(SwitchesWithDefault("switch (t) { case JointType::kBall: break; }").empty());
  EXPECT_TRUE(
      SwitchesWithDefault("switch (t) { case JointType::kBall: { switch (i) { default: ; } } }")
          .empty());
  EXPECT_TRUE(SwitchesWithDefault("switch (t) { case kBall: ;  // default: none\n}").empty());
  EXPECT_TRUE(SwitchesWithDefault("switch (i) { case 1: ; default: ; }").empty());
}

}  // namespace
