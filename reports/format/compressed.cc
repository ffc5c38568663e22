#include "reports/format/compressed.h"

#include <zlib.h>
#include <boost/archive/iterators/base64_from_binary.hpp>
#include <boost/archive/iterators/transform_width.hpp>

#include <stdexcept>

namespace mbsbench::reports {

std::string Compressed(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string bytes(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), text.size(),
                Z_BEST_COMPRESSION) != Z_OK)
    throw std::runtime_error("zlib could not compress the data of the page");
  bytes.resize(size);
  return Base64(bytes);
}

std::string Base64(const std::string& bytes) {
  using namespace boost::archive::iterators;
  using Digits = base64_from_binary<transform_width<std::string::const_iterator, 6, 8>>;
  std::string encoded(Digits(bytes.cbegin()), Digits(bytes.cend()));
  encoded.append((3 - bytes.size() % 3) % 3, '=');
  return encoded;
}

}  // namespace mbsbench::reports
