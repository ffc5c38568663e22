// Model files: a problem as JSON (docs/model_files.md; model.schema.json in this folder), read
// and written without loss of a bit.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "problems/model/problem.h"

namespace mbsbench {

// Every fault is a ModelError of one sentence: the file, its line, and the expected value or the
// body or joint that breaks a rule. Sizes and depth are bounded, so no input can hang the reader or
// exhaust the memory.
Problem ParseModel(std::string_view text, std::string_view name_for_errors);
// The text of a file that is no larger than a model file may be. `what` names it in messages: "model
// file".
std::string ReadWholeFile(const std::filesystem::path& file, const std::string& what);
Problem ReadModelFile(const std::filesystem::path& file);

// The model file of a problem. Throws ModelError when the problem itself breaks a rule of Validate.
std::string WriteModel(const Problem& problem);

// The problem of the catalogue, of a model file or of a robot file (robot_file.h). A name that ends in
// .json or contains a '/' is a model file, and so is an existing file whose name is not a catalogue
// family; a name that ends in .urdf, .xacro, .mjcf, .xml, .sdf or .world, in any case, is a robot file, with options
// after a colon.
// Every command reads its problems with this function.
Problem LoadProblem(std::string_view name_or_file);

}  // namespace mbsbench
