#include "harness/instruction_set.h"

#include <unistd.h>

#include <cstdio>
#include <iterator>

namespace mbsbench {

#if defined(__x86_64__)
#define FOR_EVERY_PROCESSOR __attribute__((target("arch=x86-64")))
#else
#define FOR_EVERY_PROCESSOR
#endif

FOR_EVERY_PROCESSOR const char* MissingInstructionSet(const InstructionSet* begin,
                                                      const InstructionSet* end) {
  for (; begin != end; ++begin) {
    if (begin->is_used && !begin->is_available) return begin->name;
  }
  return nullptr;
}

// The compiler defines such a macro as 1 where it may use the instruction set; otherwise the macro expands to its own name.
// (This source is compiled with the flags of the methods; some rooms are built for fewer instruction sets.)
#define TEXT_OF(text) #text
#define TEXT_OF_MACRO(macro) TEXT_OF(macro)
#define INSTRUCTION_SET(macro, name) \
  { name, TEXT_OF_MACRO(macro)[0] == '1', __builtin_cpu_supports(name) != 0 }

FOR_EVERY_PROCESSOR void EndIfAnInstructionSetIsMissing() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  // Asks the processor (CPUID), not the system's list of flags. Only vectors are asked about: processors with AVX2 have
  // LZCNT, BMI and MOVBE too, although some hypervisors hide their flags.
  const InstructionSet sets[] = {
      INSTRUCTION_SET(__AVX__, "avx"),
      INSTRUCTION_SET(__AVX2__, "avx2"),
      INSTRUCTION_SET(__FMA__, "fma"),
      INSTRUCTION_SET(__AVX512F__, "avx512f"),
      INSTRUCTION_SET(__AVX512BW__, "avx512bw"),
      INSTRUCTION_SET(__AVX512CD__, "avx512cd"),
      INSTRUCTION_SET(__AVX512DQ__, "avx512dq"),
      INSTRUCTION_SET(__AVX512VL__, "avx512vl"),
      INSTRUCTION_SET(__AVX512IFMA__, "avx512ifma"),
      INSTRUCTION_SET(__AVX512VBMI__, "avx512vbmi"),
      INSTRUCTION_SET(__AVX512VBMI2__, "avx512vbmi2"),
      INSTRUCTION_SET(__AVX512VNNI__, "avx512vnni"),
      INSTRUCTION_SET(__AVX512BITALG__, "avx512bitalg"),
      INSTRUCTION_SET(__AVX512VPOPCNTDQ__, "avx512vpopcntdq"),
  };
  if (const char* missing = MissingInstructionSet(sets, sets + std::size(sets))) {
    std::fprintf(stderr,
                 "mbsbench: this processor lacks %s, which this build uses: build with "
                 "PRESET=portable, or on this machine.\n",
                 missing);
    _exit(2);
  }
#endif
}

}  // namespace mbsbench
