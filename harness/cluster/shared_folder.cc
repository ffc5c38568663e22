#include "harness/cluster/shared_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <array>
#include <boost/endian/conversion.hpp>
#include <cstring>
#include <fstream>
#include <sstream>

#include "harness/records/json_codec.h"
#include "harness/runner/process/environment.h"
#include "harness/store/files.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace fs = std::filesystem;

namespace {

constexpr char kFormat[] = "mbsbench-cluster-plan";
constexpr int kVersion = 2;

std::string Quoted(const fs::path& path) { return "'" + path.string() + "'"; }

fs::path ExistingFolder(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error))
    throw ModelError(
        "there is no folder " + Quoted(path) +
        ". Create one on a disk that all nodes share, and give it as the shared folder.");
  if (!fs::is_directory(path, error))
    throw ModelError(Quoted(path) + " is not a folder. Give a folder that all nodes share.");
  return fs::canonical(path);
}

// Whether an SQLite file has the length stated in its header: the number of pages times the page size
// (sqlite.org/fileformat.html, 1.3).
bool IsWholeStore(const fs::path& path) {
  std::array<unsigned char, 32> header{};
  std::ifstream in(path, std::ios::binary);
  if (!in.read(reinterpret_cast<char*>(header.data()), header.size())) return false;
  if (std::memcmp(header.data(), "SQLite format 3", 16) != 0) return false;
  std::int64_t page = boost::endian::load_big_u16(&header[16]);
  if (page == 1) page = 65536;
  std::error_code error;
  return static_cast<std::int64_t>(fs::file_size(path, error)) >=
         page * boost::endian::load_big_u32(&header[28]);
}

}  // namespace

std::string ClusterPlan::ContentOf(int shard) const {
  std::int64_t items = 0;
  std::vector<std::string> names;
  for (const PlannedProblemRecord& problem : document.problems) {
    if (problem.shard != shard) continue;
    items += problem.items;
    names.push_back(problem.name);
  }
  return fmt::format("{} items of {}", items, fmt::join(names, ", "));
}

SharedFolder SharedFolder::Open(const fs::path& path) {
  SharedFolder folder(ExistingFolder(path));
  if (!folder.HasPlan())
    throw ModelError("the folder " + Quoted(path) +
                     " holds no plan. 'mbsbench submit --shared FOLDER' writes one.");
  return folder;
}

SharedFolder SharedFolder::OpenToWrite(const fs::path& path) {
  SharedFolder folder(ExistingFolder(path));
  const fs::path trial = folder.path_ / fmt::format(".{}.{}.trial", HostName(), getpid());
  WriteFile(trial, "", kSharedOption);
  fs::remove(trial);
  return folder;
}

bool SharedFolder::HasPlan() const {
  std::error_code ignored;
  return fs::exists(path_ / "plan.json", ignored);
}

ClusterPlan SharedFolder::ReadPlan() const {
  const fs::path file = path_ / "plan.json";
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  const Json json = Json::parse(text.str(), nullptr, false);
  const auto refuse = [&file](const std::string& why) -> void {
    throw ModelError(Quoted(file) + why + " Give another shared folder.");
  };
  if (!json.is_object() || json.value("format", "") != kFormat)
    refuse(" is not a plan of mbsbench, or is damaged.");
  if (json.value("version", 0) != kVersion)
    refuse(fmt::format(" is a plan of version {}; this mbsbench reads and writes version {}.",
                       json.value("version", 0), kVersion));
  ClusterPlan plan;
  if (!Read(json, plan) || plan.shards < 1 || plan.executable.empty() || plan.id.empty() ||
      plan.document.problems.empty())
    refuse(" is a damaged plan.");
  return plan;
}

void SharedFolder::Write(const ClusterPlan& plan) const {
  for (const char* folder : {"shards", "logs"}) MakeFolder(path_ / folder, kSharedOption);
  Json json = {{"format", kFormat}, {"version", kVersion}};
  json.update(ToJson(plan));
  WriteFile(path_ / "plan.json", json.dump(1) + "\n", kSharedOption);
}

std::vector<fs::path> SharedFolder::Journals(int shard) const {
  std::vector<fs::path> journals;
  const std::string begin = fmt::format("{}.", shard);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path_ / "shards", ignored)) {
    if (entry.path().filename().string().rfind(begin, 0) == 0 &&
        entry.path().extension() == ".journal")
      journals.push_back(entry.path());
  }
  return journals;
}

bool SharedFolder::IsFinished(int shard) const {
  std::error_code ignored;
  const fs::path store = Finished(shard);
  if (!fs::exists(store, ignored)) return false;
  if (!IsWholeStore(store))
    throw ModelError(
        "the store of a shard, " + Quoted(store) +
        ", is damaged or truncated. Remove it and submit again: only that shard is repeated.");
  return true;
}

}  // namespace mbsbench
