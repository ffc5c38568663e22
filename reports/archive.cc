#include "reports/archive.h"

#include <fmt/format.h>

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <vector>

#include "harness/store/sha1.h"
#include "reports/format/assets.h"
#include "reports/format/files.h"
#include "reports/format/format.h"
#include "reports/report.h"

namespace mbsbench {

namespace {

namespace fs = std::filesystem;

constexpr char kMetadata[] = "ro-crate-metadata.json", kChecksums[] = "checksums.sha1",
               kArchivedStore[] = "store.sqlite";

struct Part {
  const char *name, *type, *meaning;  // `type`: of media; a folder has none
};
constexpr Part kParts[] = {
    {kArchivedStore, "application/vnd.sqlite3", "all results, as 'mbsbench report' reads them"},
    {"report.html", "text/html", "the report; it opens offline"},
    {"report.md", "text/markdown", "the report in short"},
    {"csv/", "", "the numbers of every figure and table"},
    {"reproduce.json", "application/json",
     "the commands, seeds, machines and builds (commit, compiler, flags, libraries) of the runs"},
    {"CITATION.cff", "text/x-yaml", "how to cite mbsbench"},
    {kChecksums, "text/plain", "SHA-1 of every other file; 'sha1sum --check' compares them"}};

Json Id(const std::string& id) { return {{"@id", id}}; }

std::string BuildId(const BuildRecord& build) {
  return fmt::format("#mbsbench-{}-{}", build.version, build.commit);
}

// A run as the action that made the store by a build of mbsbench.
Json ActionOf(const RunRow& run) {
  Json action = {{"@id", "#run-" + run.id},
                 {"@type", "CreateAction"},
                 {"name", "Run of " + run.started},
                 {"description", fmt::format("{} (on {})", run.command, run.machine.cpu)},
                 {"startTime", run.started},
                 {"instrument", Id(BuildId(run.build))},
                 {"result", Id(kArchivedStore)}};
  if (!run.finished.empty()) action["endTime"] = run.finished;
  return action;
}

// The terms of the graph as the context of RO-Crate 1.1 defines them, so that a reader needs no network.
Json ContextOf(const Json& graph) {
  Json terms = Json::object();
  for (const Json& entity : graph) {
    std::vector<std::string> names = {entity["@type"].get<std::string>()};
    for (const auto& [key, value] : entity.items()) names.push_back(key);
    for (const std::string& name : names) {
      if (!name.starts_with('@'))
        terms[name] = "http://schema.org/" + (name == "File" ? "MediaObject" : name);
    }
  }
  terms["conformsTo"] = "http://purl.org/dc/terms/conformsTo";
  return {"https://w3id.org/ro/crate/1.1/context", terms};
}

std::string MetadataOf(const Store& store, const std::string& license) {
  const std::vector<RunRow> runs = store.Runs();
  Json has_part = Json::array(), mentions = Json::array(), entities = Json::array();
  for (const Part& part : kParts) {
    has_part.push_back(Id(part.name));
    Json& entity = entities.emplace_back(Json{{"@id", part.name},
                                              {"@type", *part.type == '\0' ? "Dataset" : "File"},
                                              {"name", part.name},
                                              {"description", part.meaning}});
    if (*part.type != '\0') entity["encodingFormat"] = part.type;
  }
  std::set<std::string> builds;
  for (const RunRow& run : runs) {
    mentions.push_back(Id("#run-" + run.id));
    entities.push_back(ActionOf(run));
    if (!builds.insert(BuildId(run.build)).second) continue;
    entities.push_back({{"@id", BuildId(run.build)},
                        {"@type", "SoftwareApplication"},
                        {"name", "mbsbench, commit " + run.build.commit},
                        {"softwareVersion", run.build.version}});
  }
  entities.push_back({{"@id", license}, {"@type", "CreativeWork"}, {"name", license}});
  Json graph = {{{"@id", kMetadata},
                 {"@type", "CreativeWork"},
                 {"about", Id("./")},
                 {"conformsTo", Id("https://w3id.org/ro/crate/1.1")}},
                {{"@id", "./"},
                 {"@type", "Dataset"},
                 {"name", "Formulations of multibody dynamics compared by mbsbench"},
                 {"description", fmt::format("{} with their report and their origin",
                                             reports::Plural(store.TrialCount(), "trial") + " of " +
                                                 reports::Plural(runs.size(), "run"))},
                 {"datePublished", UtcNow().substr(0, 10)},
                 {"license", Id(license)},
                 {"hasPart", std::move(has_part)},
                 {"mentions", std::move(mentions)}}};
  for (Json& entity : entities) graph.push_back(std::move(entity));
  return Json{{"@context", ContextOf(graph)}, {"@graph", graph}}.dump(
             2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

// Lines of 'sha1sum'.
std::string ChecksumsOf(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file())
      names.push_back(entry.path().lexically_relative(folder).generic_string());
  }
  std::ranges::sort(names);
  std::string lines;
  for (const std::string& name : names)
    lines += fmt::format("{}  {}\n", Sha1OfFiles({folder / name}), name);
  return lines;
}

}  // namespace

void WriteArchive(const fs::path& store, const fs::path& folder, const std::string& license) {
  const Store read = Store::OpenToRead(store);
  if (!license.starts_with("https://") && !license.starts_with("http://"))
    throw ReportError(
        fmt::format("the licence '{}' is no address. Give one that begins with https://, such as "
                    "https://spdx.org/licenses/CC0-1.0.",
                    license));
  std::error_code ignored;
  if (folder.empty() || fs::symlink_status(folder, ignored).type() != fs::file_type::not_found)
    throw ReportError(fmt::format("'{}' exists already. Give the name of a new folder by --output.",
                                  folder.string()));
  // Another name until it is complete, so that a process that ends early leaves nothing that looks like an archive.
  const fs::path whole = (folder / "").parent_path();
  if (whole.has_parent_path()) reports::MakeDirectory(whole.parent_path());
  std::string name = whole.string() + ".XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    throw ReportError(fmt::format("no folder can be made beside '{}': {}. Give another --output.",
                                  folder.string(), std::strerror(errno)));
  const fs::path partial = name;
  try {
    fs::permissions(partial, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                                 fs::perms::others_read | fs::perms::others_exec);
    read.ExportTo(partial / kArchivedStore);
    WriteReport(partial / kArchivedStore, partial);
    reports::WriteFile(partial / "CITATION.cff", std::string(reports::CitationAsset()));
    reports::WriteFile(partial / kMetadata,
                       MetadataOf(Store::OpenToRead(partial / kArchivedStore), license));
    reports::WritePage(partial / kChecksums, ChecksumsOf(partial));
    fs::rename(partial, folder);
  } catch (...) {
    fs::remove_all(partial, ignored);
    throw;
  }
}

fs::path StoreOfArchive(const fs::path& folder) {
  std::ifstream lines(folder / kChecksums);
  bool has_store = false;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name_at = line.find("  ");
    const std::string name = name_at == std::string::npos ? line : line.substr(name_at + 2);
    if (!fs::is_regular_file(folder / name) ||
        line != fmt::format("{}  {}", Sha1OfFiles({folder / name}), name))
      throw ReportError(fmt::format(
          "the archive '{}' is broken: its file '{}' is absent or not what {} says. Use "
          "another copy of it.",
          folder.string(), name, kChecksums));
    has_store |= name == kArchivedStore;
  }
  if (!has_store)
    throw ReportError(
        fmt::format("the folder '{}' is no archive: its {} is absent or names no {}. Give a folder "
                    "that 'mbsbench archive' wrote.",
                    folder.string(), kChecksums, kArchivedStore));
  return folder / kArchivedStore;
}

}  // namespace mbsbench
