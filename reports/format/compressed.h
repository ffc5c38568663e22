// Compression of texts into shorter texts.
#pragma once

#include <string>

namespace mbsbench::reports {

// The zlib format (RFC 1950) in base64 (RFC 4648).
std::string Compressed(const std::string& text);
std::string Base64(const std::string& bytes);

}  // namespace mbsbench::reports
