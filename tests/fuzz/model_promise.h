// The promise for any text given as a model file, however broken.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "problems/io/check.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"

namespace mbsbench {

// Reads `text`: it is refused by a ModelError of one printable sentence, or is a model that can be
// written, read again with the same bits and reported on. Returns whether it is a model; throws an
// exception other than ModelError if the promise is broken.
inline bool KeepsThePromise(std::string_view text) {
  Problem problem;
  try {
    problem = ParseModel(text, "mutated.json");
  } catch (const ModelError& error) {
    const std::string_view sentence = error.what();
    if (!sentence.starts_with("mutated.json")) throw std::logic_error("no file is named");
    if (sentence.size() > 10'000) throw std::logic_error("the sentence is too long");
    for (const char c : sentence) {
      if (static_cast<unsigned char>(c) < 0x20)
        throw std::logic_error("the sentence is not printable");
    }
    return false;
  }
  try {
    const std::string written = WriteModel(problem);
    if (WriteModel(ParseModel(written, "written.json")) != written) {
      throw std::logic_error("the round trip loses something");
    }
    CheckReport(problem, {});
  } catch (const ModelError& error) {
    throw std::logic_error(std::string("an accepted model is refused: ") + error.what());
  }
  return true;
}

}  // namespace mbsbench
