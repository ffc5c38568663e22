// One line of the method list: what a method is called, what it can solve and how it is prepared.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "methods/interface/batch.h"
#include "methods/interface/counted.h"
#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

// Whether a method can solve a system; when not, the reason as a sentence that names body or joint.
struct Verdict {
  bool supported = true;
  std::string reason;
  static Verdict No(std::string why) { return {false, std::move(why)}; }
};

// The options after the colon of a method spec, "general,projected" -> {"general", "projected"}.
using MethodOptions = std::vector<std::string>;

struct MethodOption {
  std::string name;     // "paper"
  std::string meaning;  // one line
  std::string group;    // options of one group exclude each other: "variant", "stabilisation"
  bool is_default = false;
  std::optional<Form> form = {};  // of this variant, where it differs from the entry's
};

// The integrator that a method brings along: to a tolerance, or with a fixed step.
struct OwnIntegration {
  std::string title;  // "RK4 of MuJoCo"
  bool adaptive = false;
  int order = 0;  // classical order; 0: variable
};

struct MethodEntry {
  std::string key;     // "riccati-mstmm"
  std::string title;   // "Riccati transfer matrix method"
  std::string source;  // citation
  std::string description;
  Form form = Form::kOde;    // of all variants that do not say otherwise
  double cost_exponent = 1;  // evaluation cost grows with bodies to this power on trees, as claimed
  std::vector<MethodOption> options;
  // Both get options that have been checked against `options`, defaults filled in.
  std::function<Verdict(const System&, const MethodOptions&)> supports;
  // Prepares a validated system that is supported. Throws ModelError otherwise.
  std::function<std::unique_ptr<Formulation>(const System&, const MethodOptions&)> prepare;
  // What the method has deduced from a system, as text for people; empty when there is nothing to show.
  std::function<std::string(const System&, const MethodOptions&)> explain = {};
  std::optional<OwnIntegration> own_integration = {};
  // Many states of one system at once. Throws ModelError, naming what stands in the way, where only
  // single states can be evaluated. Empty where a method does not offer it.
  std::function<std::unique_ptr<BatchFormulation>(const System&, const MethodOptions&)>
      prepare_batch = {};
  // Arithmetic of one evaluation at a state, counted through the kernels that are timed. No value
  // where a system needs more than these kernels (loops, force elements). Empty where a method does
  // not count.
  std::function<std::optional<OperationCount>(const System&, const MethodOptions&,
                                              const JointState&)>
      count_operations = {};
};

bool Has(const MethodOptions& options, const std::string& name);

// The refusal of a system that grows, by a method that takes only those that do not; else supported.
Verdict RefuseGrowth(const System& system, const std::string& method);

// Form of the method with these options.
Form FormOf(const MethodEntry& entry, const MethodOptions& options);

// For methods that cannot hold a driven joint at its speed: refuses systems with drivers.
Verdict WithoutDrivers(const System& system, const std::string& method);

}  // namespace mbsbench
