// Methods whose code is not ours, from plug-ins and engines: what their functions do must not end, hold or
// empty the process that the user started. So each call is carried out by a copy of that process, within
// limits of time and memory, and what it does wrong becomes an outcome with a reason that names the
// method and the file that it comes from.
//
// A trial has a process of its own already: methods are not guarded there.
#pragma once

#include <filesystem>
#include <functional>

#include "harness/runner/supervisor.h"
#include "methods/interface/method.h"

namespace mbsbench {

// How long a plug-in may take to load, to give a verdict or to evaluate one state, unless stated otherwise.
inline constexpr double kPluginSeconds = 30;

// The same method with its verdicts, its explanations and its evaluations (ObserveAt) guarded.
MethodEntry Guarded(MethodEntry entry, const std::filesystem::path& file,
                    double seconds = kPluginSeconds);

// The file that a guarded method comes from; empty for others.
std::filesystem::path PluginOf(const MethodEntry& entry);

// Whose code a method runs, as the reason of a crash names it: "plug-in 'x.so'"; empty: ours.
std::string CodeOf(const MethodChoice& method);

// Ok, unsupported with the reason, or how a guarded method failed to say. A method that has not
// answered in time at two systems is not asked again.
Ending SupportOf(const MethodEntry& entry, const System& system, const MethodOptions& options);

// The result of `call`, which calls functions of this method: apart where it is guarded, at once
// otherwise. `doing` completes the sentence on a failure: "evaluated at one state". What prints to the
// user's own output is without limits.
TrialResult CallOf(const MethodEntry& entry, const std::string& doing,
                   const std::function<TrialResult()>& call, Output output = Output::kKept);

// Whether calls of this method have to go through the functions above: it is guarded, and this
// process is no copy that carries out such a call.
bool IsGuarded(const MethodEntry& entry);

}  // namespace mbsbench
