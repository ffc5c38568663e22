// Files that a program carries: the assembler copies them into read-only data, so that there is no generated source and
// no time to compile one. CMake passes their absolute path and rebuilds the source that embeds one when it changes.
#pragma once

#include <string_view>

// At namespace scope outside any namespace: declares mbsbench_NAME and its end, for MBSBENCH_EMBEDDED.
#define MBSBENCH_EMBED(name, file) \
  __asm__(                         \
      ".pushsection .rodata\n"     \
      ".balign 16\n"               \
      ".global mbsbench_" #name    \
      "\n"                         \
      ".hidden mbsbench_" #name    \
      "\n"                         \
      ".global mbsbench_" #name    \
      "_end\n"                     \
      ".hidden mbsbench_" #name    \
      "_end\n"                     \
      "mbsbench_" #name            \
      ":\n"                        \
      ".incbin \"" file            \
      "\"\n"                       \
      "mbsbench_" #name            \
      "_end:\n"                    \
      ".byte 0\n"                  \
      ".popsection\n");            \
  extern "C" const char mbsbench_##name[], mbsbench_##name##_end[]

// Its text, as a std::string_view.
#define MBSBENCH_EMBEDDED(name)     \
  std::string_view(mbsbench_##name, \
                   static_cast<std::size_t>(mbsbench_##name##_end - mbsbench_##name))
