#include "harness/commands/command_line.h"
#include "methods/all_methods.h"

int main(int argc, char** argv) {
  return mbsbench::CommandLine(argc, argv, mbsbench::AllMethods());
}
