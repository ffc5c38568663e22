#include "harness/store/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <functional>
#include <random>
#include <system_error>

#include "harness/store/store_error.h"

namespace mbsbench {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void Fail() { throw std::system_error(errno, std::generic_category()); }

// A new file in the folder of `file`, whose name nobody can guess: another one's file or link is never opened.
fs::path Unfinished(const fs::path& file) {
  std::random_device random;
  for (;;) {
    const fs::path place =
        file.parent_path() /
        fmt::format(".{}.{:08x}{:08x}", file.filename().string(), random(), random());
    const int descriptor =
        open(place.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) Fail();
    close(descriptor);
    return place;
  }
}

void WriteTo(const fs::path& file, const std::string& text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) Fail();
}

void Sync(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) Fail();
  const bool is_done = fsync(descriptor) == 0;
  const int error = errno;
  close(descriptor);
  errno = error;
  if (!is_done) Fail();
}

constexpr int kMostLinks = 40;  // as the kernel follows

// Calls write(place) with another name in the folder of `file`, and renames what it wrote.
void Replace(const fs::path& file, const char* option, bool waits_for_disk, OnLink on_link,
             const std::function<void(const fs::path&)>& write) {
  std::error_code ignored;
  fs::path unfinished;
  try {
    fs::path place = file;
    const bool follows = on_link == OnLink::kFollow;
    for (int links = 0; follows && links < kMostLinks && fs::is_symlink(place, ignored); ++links)
      place = place.parent_path() / fs::read_symlink(place);
    fs::file_status before = fs::symlink_status(place, ignored);
    if (fs::is_symlink(before) && follows)
      throw fs::filesystem_error("", file,
                                 std::make_error_code(std::errc::too_many_symbolic_link_levels));
    if (fs::is_symlink(before)) before = fs::file_status(fs::file_type::not_found);
    if (fs::exists(before) && !fs::is_regular_file(before)) {
      write(place);
      return;
    }
    unfinished = Unfinished(place);
    write(unfinished);
    if (waits_for_disk) Sync(unfinished);
    if (fs::exists(before)) fs::permissions(unfinished, before.permissions(), ignored);
    fs::rename(unfinished, place);
  } catch (const std::system_error& error) {
    fs::remove(unfinished, ignored);
    throw StoreError(fmt::format("the file '{}' cannot be written: {}. Give another one by {}.",
                                 file.string(), WriteFault(error.code().value()), option));
  }
}

}  // namespace

std::string FileNameOf(std::string spec) {
  std::ranges::replace_if(
      spec, [](char c) { return c == ':' || c == ',' || c == '=' || c == '/'; }, '-');
  return spec;
}

std::string WriteFault(int error) {
  const std::string what = std::generic_category().message(error);
  return error == EFBIG ? what + " for the limit of this shell, which 'ulimit -f' raises" : what;
}

void MakeFolder(const fs::path& folder, const char* option) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw StoreError(fmt::format("the folder '{}' cannot be made: {}. Give another one by {}.",
                                 folder.string(), error.message(), option));
  }
}

void WriteFile(const fs::path& file, const std::string& text, const char* option,
               bool waits_for_disk, OnLink on_link) {
  Replace(file, option, waits_for_disk, on_link,
          [&text](const fs::path& place) { WriteTo(place, text); });
}

void CopyFile(const fs::path& from, const fs::path& file, const char* option) {
  Replace(file, option, true, OnLink::kFollow, [&from](const fs::path& place) {
    fs::copy_file(from, place, fs::copy_options::overwrite_existing);
  });
}

}  // namespace mbsbench
