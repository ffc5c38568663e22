// Model files: a problem as JSON (docs/model_files.md; model.schema.json beside this header), read
// and written without loss: what is written and read again has the same bits.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "problems/model/problem.h"

namespace mbsbench {

// Every fault is a ModelError of one sentence: the file, its line, and what was expected or which
// body or joint breaks which rule. No input hangs or eats memory: sizes and depth are bounded.
Problem ParseModel(std::string_view text, std::string_view name_for_errors);
Problem ReadModelFile(const std::filesystem::path& file);

// The model file of a problem. Throws ModelError when the problem itself breaks a rule of Validate.
std::string WriteModel(const Problem& problem);

// The problem of the catalogue, or of a model file: what ends in .json, holds a '/' or is the name of
// an existing file and of no catalogue family. Wherever a user may name a problem, this reads it.
Problem LoadProblem(std::string_view name_or_file);

}  // namespace mbsbench
