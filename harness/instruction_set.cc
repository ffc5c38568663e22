#include "harness/instruction_set.h"

#include <algorithm>
#include <map>

namespace mbsbench {

std::vector<std::string> NeededInstructionSets() {
  return {
#ifdef __SSE3__
      "pni",
#endif
#ifdef __SSSE3__
      "ssse3",
#endif
#ifdef __SSE4_1__
      "sse4_1",
#endif
#ifdef __SSE4_2__
      "sse4_2",
#endif
#ifdef __POPCNT__
      "popcnt",
#endif
#ifdef __AVX__
      "avx",
#endif
#ifdef __AVX2__
      "avx2",
#endif
#ifdef __BMI__
      "bmi1",
#endif
#ifdef __BMI2__
      "bmi2",
#endif
#ifdef __FMA__
      "fma",
#endif
#ifdef __F16C__
      "f16c",
#endif
#ifdef __LZCNT__
      "abm",
#endif
#ifdef __MOVBE__
      "movbe",
#endif
#ifdef __AVX512F__
      "avx512f",
#endif
#ifdef __AVX512BW__
      "avx512bw",
#endif
#ifdef __AVX512CD__
      "avx512cd",
#endif
#ifdef __AVX512DQ__
      "avx512dq",
#endif
#ifdef __AVX512VL__
      "avx512vl",
#endif
#ifdef __AVX512IFMA__
      "avx512ifma",
#endif
#ifdef __AVX512VBMI__
      "avx512vbmi",
#endif
#ifdef __AVX512VBMI2__
      "avx512_vbmi2",
#endif
#ifdef __AVX512VNNI__
      "avx512_vnni",
#endif
#ifdef __AVX512BITALG__
      "avx512_bitalg",
#endif
#ifdef __AVX512VPOPCNTDQ__
      "avx512_vpopcntdq",
#endif
#ifdef __AVX512FP16__
      "avx512_fp16",
#endif
#ifdef __AVXVNNI__
      "avx_vnni",
#endif
#ifdef __GFNI__
      "gfni",
#endif
#ifdef __VAES__
      "vaes",
#endif
#ifdef __VPCLMULQDQ__
      "vpclmulqdq",
#endif
  };
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
