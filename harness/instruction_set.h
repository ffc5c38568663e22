// Whether this processor can run the program. It ends with a sentence where an illegal instruction would end it.
#pragma once

namespace mbsbench {

struct InstructionSet {
  const char* name;
  bool is_used;       // the compiler was allowed to use it
  bool is_available;  // this processor has it, and its operating system saves its registers
};

// The name of the first that is used and not available, or null.
const char* MissingInstructionSet(const InstructionSet* begin, const InstructionSet* end);

// Ends the program with a sentence and exit code 2 if an instruction set is missing. It consists of instructions that every x86-64
// processor has, so that it can be called before constructors, which may use all others.
void EndIfAnInstructionSetIsMissing();

}  // namespace mbsbench
