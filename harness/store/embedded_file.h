// Files embedded in the program: the assembler copies them into read-only data, so that no source is generated and compiled.
// CMake passes the absolute path and rebuilds the embedding source when the file changes.
#pragma once

#include <string_view>

// At namespace scope outside any namespace: declares mbsbench_NAME and its end, for MBSBENCH_EMBEDDED.
#define MBSBENCH_EMBED(name, file)                       \
  __asm__(                                               \
      ".pushsection .rodata\n.balign 16\n"               \
      ".global mbsbench_" #name ", mbsbench_" #name      \
      "_end\n"                                           \
      ".hidden mbsbench_" #name ", mbsbench_" #name      \
      "_end\n"                                           \
      "mbsbench_" #name ": .incbin \"" file              \
      "\"\n"                                             \
      "mbsbench_" #name "_end: .byte 0\n.popsection\n"); \
  extern "C" const char mbsbench_##name[], mbsbench_##name##_end[]

// The text of the file, as a std::string_view.
#define MBSBENCH_EMBEDDED(name)     \
  std::string_view(mbsbench_##name, \
                   static_cast<std::size_t>(mbsbench_##name##_end - mbsbench_##name))
