// The commands that made one run in a store.
#pragma once

#include <string>

#include "harness/store/store.h"

namespace mbsbench {

// A run continued by several commands stores each of them once, as a shell would run them: "a &&
// b". The run is finished when the last one has finished.
struct RunCommands {
  std::string all;
  std::string awaited;  // the last one if it differs from the command typed now, else empty
};

// Continues `run` with `typed`. It becomes the last command if the run was finished. An interrupted
// run is completed only by the command that was interrupted, regardless of `--resume` and
// `--minutes`.
RunCommands WithCommand(const RunRow& run, const std::string& typed);

// Of two states of one run: the commands of both, those of the longer one in its order.
std::string UnitedCommands(const std::string& a, const std::string& b);

// Completes the run that these commands made, when it was interrupted or its minutes were over: the last one with
// `--resume` and without `--minutes`.
std::string CommandToResume(const std::string& commands);

}  // namespace mbsbench
