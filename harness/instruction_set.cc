#include "harness/instruction_set.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace mbsbench {

// The compiler defines such a macro as 1 where it may use the instruction set. A macro that it does not
// define expands to its own name.
#define TEXT_OF(text) #text
#define INSTRUCTION_SET(macro) TEXT_OF(macro)

std::vector<std::string> NeededInstructionSets() {
  constexpr std::pair<std::string_view, const char*> kSets[] = {
      {INSTRUCTION_SET(__SSE3__), "pni"},
      {INSTRUCTION_SET(__SSSE3__), "ssse3"},
      {INSTRUCTION_SET(__SSE4_1__), "sse4_1"},
      {INSTRUCTION_SET(__SSE4_2__), "sse4_2"},
      {INSTRUCTION_SET(__POPCNT__), "popcnt"},
      {INSTRUCTION_SET(__AVX__), "avx"},
      {INSTRUCTION_SET(__AVX2__), "avx2"},
      {INSTRUCTION_SET(__BMI__), "bmi1"},
      {INSTRUCTION_SET(__BMI2__), "bmi2"},
      {INSTRUCTION_SET(__FMA__), "fma"},
      {INSTRUCTION_SET(__F16C__), "f16c"},
      {INSTRUCTION_SET(__LZCNT__), "abm"},
      {INSTRUCTION_SET(__MOVBE__), "movbe"},
      {INSTRUCTION_SET(__AVX512F__), "avx512f"},
      {INSTRUCTION_SET(__AVX512BW__), "avx512bw"},
      {INSTRUCTION_SET(__AVX512CD__), "avx512cd"},
      {INSTRUCTION_SET(__AVX512DQ__), "avx512dq"},
      {INSTRUCTION_SET(__AVX512VL__), "avx512vl"},
      {INSTRUCTION_SET(__AVX512IFMA__), "avx512ifma"},
      {INSTRUCTION_SET(__AVX512VBMI__), "avx512vbmi"},
      {INSTRUCTION_SET(__AVX512VBMI2__), "avx512_vbmi2"},
      {INSTRUCTION_SET(__AVX512VNNI__), "avx512_vnni"},
      {INSTRUCTION_SET(__AVX512BITALG__), "avx512_bitalg"},
      {INSTRUCTION_SET(__AVX512VPOPCNTDQ__), "avx512_vpopcntdq"},
      {INSTRUCTION_SET(__AVX512FP16__), "avx512_fp16"},
      {INSTRUCTION_SET(__AVXVNNI__), "avx_vnni"},
      {INSTRUCTION_SET(__GFNI__), "gfni"},
      {INSTRUCTION_SET(__VAES__), "vaes"},
      {INSTRUCTION_SET(__VPCLMULQDQ__), "vpclmulqdq"},
  };
  std::vector<std::string> needed;
  for (const auto& [defined, name] : kSets) {
    if (defined == "1") needed.emplace_back(name);
  }
  return needed;
}

int NeededLevel() {
#if !defined(__x86_64__)
  return 0;
#elif defined(__AVX512F__)
  return 4;
#elif defined(__AVX__)
  return 3;
#elif defined(__SSE3__)
  return 2;
#else
  return 1;
#endif
}

int LevelOfFeatures(const std::string& features) {
  static const std::map<std::string, int> levels{
      {"x86-64-v2", 2}, {"x86-64-v3", 3}, {"x86-64-v4", 4}, {"sse4_2", 2}, {"sse4.2", 2},
      {"avx", 2},       {"avx2", 3},      {"avx512", 4},    {"avx512f", 4}};
  int level = 0;
  for (std::size_t begin = 0; begin <= features.size();) {
    const std::size_t end = std::min(features.find(',', begin), features.size());
    const auto named = levels.find(features.substr(begin, end - begin));
    if (named != levels.end()) level = std::max(level, named->second);
    begin = end + 1;
  }
  return level;
}

}  // namespace mbsbench
