// Methods and problems in a shared library of their own. A plug-in lists its methods (MethodEntry), families of problems
// (ProblemFamily) and the files that it reads (DependsOn) once, in any order:
//
//   MBSBENCH_PLUGIN("my plug-in", MyMethodEntry(), MyOtherMethodEntry(), MyProblemFamily())
//
// and is loaded with `mbsbench --plugin FILE`. Compiler and library have to match those of
// mbsbench, because the interface passes plain C++ structs.
//
// A process of its own loads the file first. It is refused if it crashes, hangs or exits; changes the working directory,
// signal handlers, standard streams or the arithmetic of the processor (as -ffast-math does); or lists a method without
// `prepare`, a problem without `build`, a key of another one, or a key with other characters than a-z, 0-9 and hyphens.
// Verdicts and evaluations run in separate processes too, for at most --plugin-time-limit.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "methods/interface/method.h"
#include "problems/model/problem_family.h"

namespace mbsbench {

// Increased whenever a header of problems/model, methods/interface, methods/steady or methods/growth changes the binary interface.
inline constexpr int kPluginAbi = 20;

// Compiler and library that laid out the structs.
inline constexpr const char* kPluginBuild = "compiler " __VERSION__
#ifdef _GLIBCXX_USE_CXX11_ABI
                                            ", libstdc++ with the C++11 ABI"
#endif
    ;

// Compiler flags, which affect the speed of the code: stored, never compared.
inline constexpr const char* kNotOptimised = "not optimised";
inline constexpr const char* kPluginFlags =
#ifdef __OPTIMIZE__
    "optimised"
#else
    "not optimised"
#endif
#ifdef __FAST_MATH__
    ", fast math"
#endif
#if defined(__AVX512F__)
    ", AVX-512"
#elif defined(__AVX2__)
    ", AVX2"
#endif
#ifndef NDEBUG
    ", assertions"
#endif
#ifdef __SANITIZE_ADDRESS__
    ", address sanitizer"
#endif
    ;

// Files other than the library on which its results depend, such as a table that it reads: a changed file makes a run compute its
// trials again. Relative paths start at the library's folder.
struct DependsOn {
  std::vector<std::string> files;
};

struct PluginParts {
  std::vector<MethodEntry> methods;
  std::vector<ProblemFamily> problems;
  DependsOn depends_on;

  template <class... Parts>
  void Add(Parts... parts) {
    (Take(std::move(parts)), ...);
  }
  void Take(MethodEntry entry) { methods.push_back(std::move(entry)); }
  void Take(ProblemFamily family) { problems.push_back(std::move(family)); }
  void Take(DependsOn more) { depends_on = std::move(more); }
};

struct PluginInfo {
  int abi;            // kPluginAbi when the plug-in was compiled
  const char* build;  // kPluginBuild when the plug-in was compiled
  std::size_t system_size, entry_size, problem_size;
  const char* name;
  void (*add)(PluginParts& parts);
  const char* flags = nullptr;  // kPluginFlags when the plug-in was compiled
};

}  // namespace mbsbench

// The one symbol that a plug-in exports.
extern "C" __attribute__((visibility("default"))) const mbsbench::PluginInfo* mbsbench_plugin();

#define MBSBENCH_PLUGIN(plugin_name, ...)                             \
  const mbsbench::PluginInfo* mbsbench_plugin() {                     \
    static const mbsbench::PluginInfo info{                           \
        mbsbench::kPluginAbi,                                         \
        mbsbench::kPluginBuild,                                       \
        sizeof(mbsbench::System),                                     \
        sizeof(mbsbench::MethodEntry),                                \
        sizeof(mbsbench::Problem),                                    \
        plugin_name,                                                  \
        [](mbsbench::PluginParts& parts) { parts.Add(__VA_ARGS__); }, \
        mbsbench::kPluginFlags};                                      \
    return &info;                                                     \
  }                                                                   \
  static_assert(true, "")
