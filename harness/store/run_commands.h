// The commands that one run in a store is made by.
#pragma once

#include <string>

#include "harness/store/store.h"

namespace mbsbench {

// A run that several commands go on with names them all, once each, as a shell would run them: "a && b".
// The last one is the run's own: the run has finished when that one has come to its end.
struct RunCommands {
  std::string all;
  std::string awaited;  // the last one where that is not the one typed now, else empty
};

// `typed` goes on with `run`. It becomes the last where the run had finished; of a run that was
// interrupted it completes nothing, unless it is the very command that was interrupted (`--resume`
// and `--minutes` make no other of it).
RunCommands WithCommand(const RunRow& run, const std::string& typed);

// Of two states of one run: the commands of both, those of the longer one in its order.
std::string UnitedCommands(const std::string& a, const std::string& b);

// Completes the run that these commands made, when it was interrupted or its minutes were over: the last one with
// `--resume` and without `--minutes`.
std::string CommandToResume(const std::string& commands);

}  // namespace mbsbench
