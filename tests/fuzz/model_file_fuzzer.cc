// Coverage-guided fuzzing of the model reader (libFuzzer; preset 'fuzz', target 'fuzz').
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/fuzz/model_promise.h"
#include "tests/fuzz/mutations.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// Half of the inputs come from changes that respect the structure of a model, half from random
// ones.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string mutated = mbsbench::Mutator(seed).Mutate(text);
  if (mutated.size() > max_size) mutated.resize(max_size);
  std::memcpy(data, mutated.data(), mutated.size());
  return mutated.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mbsbench::KeepsThePromise(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;  // any exception that escapes is a finding
}
