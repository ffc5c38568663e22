// The names of record fields occur only at the record (harness/records): readers use the struct.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/architecture/read.h"

namespace {

namespace fs = std::filesystem;

// Names of several words only; "time" or "name" are fields of many other documents too.
std::set<std::string> FieldsOfRecords(const fs::path& root) {
  static const std::regex listed(R"(field(?:\.\w+)?\(\s*"(\w+_\w+)\")"),
      lists(R"(MBSBENCH_FIELDS\w*\(((?:[^()]|\([^()]*\))*)\))"), name(R"(\w+_\w+)");
  std::set<std::string> fields;
  for (const auto& entry : fs::directory_iterator(root / "harness/records")) {
    const std::string text = Read(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), listed), end; match != end; ++match)
      fields.insert((*match)[1]);
    for (std::sregex_iterator list(text.begin(), text.end(), lists), end; list != end; ++list) {
      const std::string names = (*list)[1];
      for (std::sregex_iterator match(names.begin(), names.end(), name); match != end; ++match)
        fields.insert(match->str());
    }
  }
  return fields;
}

// Fields of the same name in documents that are not records, and in a trial's row outside its
// record.
const std::map<std::string, std::set<std::string>> kOfOtherDocuments{
    {"commands/accelerations.cc", {"condition_missing", "digits_left"}},
    {"harness/runner/trials/acceleration_trial.cc", {"condition_of"}},
    {"harness/runner/cells/trial.cc", {"cpu_seconds", "wall_seconds"}},
};

TEST(RecordFields, AreReadFromJsonInOnePlace) {
  const fs::path root = MBSBENCH_SOURCE_DIR;
  const std::set<std::string> fields = FieldsOfRecords(root);
  ASSERT_GT(fields.size(), 50u);
  // Field(json, "x"), json.at("x"), json.value("x", 0), json.contains("x")
  static const std::regex read(
      R"((?:\b(?:Field|Number|Numbers|Text)\([^"();]*(?:\([^"()]*\))?[^"();]*|\.(?:at|value|contains|find|erase)\(|\[)\s*"(\w+)\")");
  int files = 0;
  for (const char* room : {"harness", "reports", "commands"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
      const std::string file = fs::relative(entry.path(), root).string();
      const std::string extension = entry.path().extension().string();
      if ((extension != ".cc" && extension != ".h") || file.starts_with("harness/records/"))
        continue;
      ++files;
      const std::string text = Read(entry.path());
      const auto others = kOfOtherDocuments.find(file);
      for (std::sregex_iterator match(text.begin(), text.end(), read), end; match != end; ++match) {
        const std::string field = (*match)[1], after = match->suffix().str().substr(0, 4);
        const bool is_written = (*match)[0].str()[0] == '[' && after == "] = ";
        if (fields.count(field) == 0 || is_written) continue;
        EXPECT_TRUE(others != kOfOtherDocuments.end() && others->second.count(field) > 0)
            << file << " reads \"" << field
            << "\" from JSON: take it from the struct in harness/records";
      }
    }
  }
  EXPECT_GT(files, 200);
}

}  // namespace
