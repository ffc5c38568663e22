// mbsbench with toy methods only: the executable that acts as child in tests of the runner.
#include "commands/command_line.h"
#include "tests/harness/toys/toy_methods.h"

int main(int argc, char** argv) {
  return mbsbench::CommandLine(argc, argv, mbsbench::ToyMethods());
}
