#include "reports/format/data_files.h"

#include "harness/store/sha1.h"
#include "reports/format/files.h"
#include "reports/format/render.h"

namespace mbsbench::reports {

namespace {

// The hash is null while the write-ahead log of SQLite holds data: the file alone is then incomplete.
Json StoreJson(const std::filesystem::path& store) {
  std::filesystem::path log = store;
  log += "-wal";
  std::error_code absent;
  const bool is_written_to = std::filesystem::file_size(log, absent) > 0 && !absent;
  return {{"file", store.filename().string()},
          {"sha1", is_written_to ? Json() : Json(Sha1OfFiles({store}))}};
}

}  // namespace

std::vector<std::filesystem::path> WriteDataFiles(const std::filesystem::path& store,
                                                  const Document& document,
                                                  const std::filesystem::path& directory) {
  MakeDirectory(directory / "csv");
  std::vector<std::filesystem::path> paths;
  Json hashes = Json::object();
  for (const CsvFile& file : document.files) {
    const std::string text = RenderCsv(file);
    paths.push_back(directory / "csv" / file.name);
    WriteFile(paths.back(), text);
    hashes["csv/" + file.name] = Sha1(text);
  }
  Json reproduce = document.provenance;
  reproduce["store"] = StoreJson(store);
  reproduce["sha1"] = std::move(hashes);
  WriteFile(directory / "reproduce.json",
            reproduce.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  return paths;
}

}  // namespace mbsbench::reports
