#include "harness/store/sha1.h"

#include <fmt/format.h>
#include <boost/uuid/detail/sha1.hpp>

#include <fstream>

namespace mbsbench {

namespace {

std::string Hexadecimal(boost::uuids::detail::sha1& sha1) {
  unsigned digest[5];
  sha1.get_digest(digest);
  std::string text;
  for (const unsigned word : digest) text += fmt::format("{:08x}", word);
  return text;
}

}  // namespace

std::string Sha1(const std::string& text) {
  boost::uuids::detail::sha1 sha1;
  sha1.process_bytes(text.data(), text.size());
  return Hexadecimal(sha1);
}

std::string Sha1OfFiles(const std::vector<std::filesystem::path>& files) {
  boost::uuids::detail::sha1 sha1;
  std::vector<char> buffer(1 << 20);
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    while (in) {
      in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
      sha1.process_bytes(buffer.data(), static_cast<std::size_t>(in.gcount()));
    }
  }
  return Hexadecimal(sha1);
}

}  // namespace mbsbench
