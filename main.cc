#include "commands/command_line.h"
#include "harness/instruction_set.h"
#include "methods/all_methods.h"

// Before all other constructors, which may use instructions that this processor lacks.
__attribute__((constructor(101))) static void CheckProcessor() {
  mbsbench::EndIfAnInstructionSetIsMissing();
}

int main(int argc, char** argv) {
  return mbsbench::CommandLine(argc, argv, mbsbench::AllMethods());
}
