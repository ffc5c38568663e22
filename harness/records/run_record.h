// The machine and the build that made a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/named_values.h"
#include "harness/records/number.h"

namespace mbsbench {

struct MachineRecord {
  std::vector<std::string> hosts = {};  // on which the run was executed
  std::string cpu = {};
  std::optional<int> cores = {};
  std::optional<std::int64_t> memory_bytes = {};
  std::string kernel = {}, os = {};
  MaybeNumber load_average =
      {};  // of the minute before the run began: processes that ran or waited

  MBSBENCH_FIELDS_IF_ANY(hosts, cpu, cores, memory_bytes, kernel, os, load_average)
};

// A loaded plug-in or engine. A library in another language states neither build nor flags.
struct PluginRecord {
  std::string name = {}, file = {}, sha1 = {};
  std::string build = {}, flags = {};
  std::optional<bool> optimised = {};
  std::vector<std::string> methods = {}, problems = {};  // keys, names of families
  std::vector<std::string> depends_on = {};              // further files, which `sha1` covers too

  MBSBENCH_FIELDS(name, file, sha1, (TextOrNull, build), (TextOrNull, flags), optimised, methods,
                  problems, (IfAny, depends_on))
};

struct BuildRecord {
  std::string version = {}, commit = {}, compiler = {}, flags = {}, preset = {};
  std::string binary_hash = {};       // of the executable and of the plug-ins with methods
  std::string loaded_libraries = {};  // hash of the shared libraries
  std::optional<std::vector<PluginRecord>> plugins = {};
  NamedValues<std::string> libraries = {};  // versions
  NamedValues<double> thresholds =
      {};  // by which our methods decide (methods/thresholds/thresholds.h)

  MBSBENCH_FIELDS_IF_ANY(version, commit, compiler, flags, preset, binary_hash, loaded_libraries,
                         plugins, libraries, thresholds)
};

}  // namespace mbsbench
