#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "problems/catalog/catalog.h"
#include "problems/io/catalog_names.h"
#include "problems/io/json_document.h"
#include "problems/io/model_file.h"
#include "problems/io/robot_file.h"
#include "problems/io/rough_model.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {
constexpr char kRobotEndings[] = ".urdf, .xacro, .mjcf, .xml, .sdf or .world";
}  // namespace

std::string ReadWholeFile(const std::filesystem::path& file, const std::string& what) {
  const std::string name = file.string();
  std::error_code error;
  if (!std::filesystem::exists(file, error)) {
    throw ModelError(fmt::format("the {} '{}' does not exist.", what, name));
  }
  if (std::filesystem::is_directory(file, error)) {
    throw ModelError(fmt::format("'{}' is a folder: the name of a {} is needed.", name, what));
  }
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw ModelError(fmt::format("the {} '{}' cannot be opened: {}.", what, name,
                                 errno != 0 ? std::strerror(errno) : "no reason is known"));
  }
  // Read in pieces: pipes and devices have no size, and some never end.
  const std::size_t most = JsonBounds{}.bytes;
  std::string text, piece(std::size_t{1} << 16, '\0');
  while (in && text.size() <= most) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece, 0, static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw ModelError(fmt::format("the {} '{}' cannot be read.", what, name));
  // Parsers take a NUL byte for the end of the text. They refuse what is too large themselves.
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos && text.size() <= most) {
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    throw ModelError(fmt::format(
        "{}:{}: holds a NUL byte, after which nothing would be read: remove it, or save the file "
        "as UTF-8.",
        name, line));
  }
  return text;
}

Problem ReadModelFile(const std::filesystem::path& file) {
  const std::string text = ReadWholeFile(file, "model file");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '<') {
    throw ModelError(
        fmt::format("{}: is XML, and a model file is JSON: if it is a robot file, end "
                    "its name in {}.",
                    file.string(), kRobotEndings));
  }
  return ParseModel(text, file.string());
}

AssembledProblem ReadRoughModelFile(const std::filesystem::path& file) {
  return ParseRoughModel(ReadWholeFile(file, "model file"), file.string());
}

Problem LoadProblem(std::string_view name_or_file) {
  if (IsRobotFile(name_or_file)) return ReadRobotFile(name_or_file);
  const bool looks_like_file =
      name_or_file.ends_with(".json") || name_or_file.find('/') != std::string_view::npos;
  if (!looks_like_file && IsCatalogueName(name_or_file)) return MakeProblem(name_or_file);
  std::error_code error;
  const std::filesystem::path file(name_or_file);
  if (looks_like_file || std::filesystem::is_regular_file(file, error)) return ReadModelFile(file);
  try {
    return MakeProblem(name_or_file);
  } catch (const ModelError& unknown) {
    throw ModelError(
        fmt::format("{} (A model file ends in .json or holds a '/', a robot file in {}.)",
                    unknown.what(), kRobotEndings));
  }
}

}  // namespace mbsbench
