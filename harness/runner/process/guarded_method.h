// Guards methods from plug-ins and engines: their functions must not end or block the process that the user started, or exhaust
// its memory. Each call runs in a copy of that process, within limits of time and memory. A failure becomes an outcome whose
// reason names the method and its file.
//
// A trial already has its own process: methods are not guarded there.
#pragma once

#include <filesystem>
#include <functional>

#include "harness/runner/process/supervisor.h"
#include "methods/interface/method.h"

namespace mbsbench {

// How long a plug-in may take to load, to give a verdict or to evaluate one state, unless stated otherwise.
inline constexpr double kPluginSeconds = 30;

// The method with guarded verdicts, explanations and evaluations (ObserveAt).
MethodEntry Guarded(MethodEntry entry, const std::filesystem::path& file,
                    double seconds = kPluginSeconds);

// The code that a method runs, as named in the reason of a crash: "plug-in 'x.so'"; empty: our own code.
std::string CodeOf(const MethodChoice& method);

// Ok, unsupported with the reason, or the failure of a guarded method. A method that exceeded its time limit at two systems is
// not asked again.
Ending SupportOf(const MethodEntry& entry, const System& system, const MethodOptions& options);

// The result of `call`, which calls functions of this method: in a copy of the process if the method is guarded, directly
// otherwise. `doing` completes the sentence on a failure: "evaluated at one state". A call that prints to the output of this
// process has no limits.
TrialResult CallOf(const MethodEntry& entry, const std::string& doing,
                   const std::function<TrialResult()>& call, Output output = Output::kKept);

// Whether calls of this method must go through the functions above: the method is guarded, and this process is not itself such
// a copy.
bool IsGuarded(const MethodEntry& entry);

}  // namespace mbsbench
