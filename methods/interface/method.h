// One line of the method list: what a method is called, what it can solve and how it is prepared.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "methods/interface/batch.h"
#include "methods/interface/capabilities.h"
#include "methods/interface/formulation.h"
#include "methods/interface/operation_count.h"
#include "problems/model/given_system.h"

namespace mbsbench {

// Whether a method can solve a system; when not, the reason as a sentence that names body or joint.
struct Verdict {
  bool supported = true;
  std::string reason;
  static Verdict No(std::string why) { return {false, std::move(why)}; }
};

// The options after the colon of a method spec, "general,projected" -> {"general", "projected"}; numbers
// behind them, "rho=0.8", where they are not the default.
using MethodOptions = std::vector<std::string>;

// The group of the options that are variants of a method: tables have a column for each.
inline constexpr std::string_view kVariantGroup = "variant";

struct MethodOption {
  std::string name;     // "paper"
  std::string meaning;  // one line
  std::string group;    // options of one group exclude each other: "variant", "stabilisation"
  bool is_default = false;
  // Of this variant, where they differ from the entry's.
  std::optional<Form> form = {};
  std::optional<Capabilities> capabilities = {};
  std::optional<std::vector<std::string>> shared_parts = {};
};

// An option that carries a number: "lie-generalised-alpha:rho=0.8".
struct NumericOption {
  std::string name;     // "rho"
  std::string meaning;  // one line
  std::string unit;     // "1/s"; empty: none
  double by_default = 0, least = 0, most = 0;
  std::string with = {};  // the option without which it says nothing; empty: all take it
};

// The scheme that a method brings along (Formulation::time_stepper): with a fixed step, to a tolerance,
// or both.
struct OwnIntegration {
  std::string title;  // "RK4 of MuJoCo"
  bool fixed_step = true, adaptive = false;
  int order = 0;  // classical order; 0: variable
};

// Whose method it is. What a plug-in brings is kPlugIn, unless its entry says kEngine.
enum class Origin { kOurs, kEngine, kPlugIn };

// What the method does not keep of the promises that all methods are held to (docs/conform.md): each row is needed,
// or a test fails.
struct DeclaredLimit {
  std::vector<std::string> promises;  // "energy", "reference-swing*": patterns as of fnmatch
  double bound = 0;        // of the promises' figure, in place of theirs; infinite: nothing is kept
  std::string reason;      // one clause, with what was measured
  std::string with = {};   // the option that it is about; empty: all
  bool by_chance = false;  // the last bits decide whether it is needed
};

struct MethodEntry {
  std::string key;     // "riccati-mstmm"
  std::string title;   // "Riccati transfer matrix method"
  std::string source;  // citation
  std::string description;
  Form form = Form::kOde;    // of all variants that do not say otherwise
  double cost_exponent = 1;  // evaluation cost grows with bodies to this power on trees, as claimed
  Origin origin = Origin::kOurs;
  // What the results of all variants that do not say otherwise rest on and other methods', too: "loop closure". That
  // two methods agree proves nothing of a part that they share.
  std::vector<std::string> shared_parts = {};
  std::vector<MethodOption> options;
  std::vector<NumericOption> numbers = {};
  std::vector<DeclaredLimit> limits = {};
  Capabilities capabilities = {};  // what of the model all variants take that do not say otherwise
  // All functions get options that have been checked against `options`, defaults filled in.
  // What no list can say, of a system within the capabilities: a singular hinge of a paper's form, a
  // size. Empty: nothing more to say.
  std::function<Verdict(const System&, const MethodOptions&)> supports = {};
  // Prepares a validated system that capabilities and `supports` take. May throw ModelError otherwise. A function of `const System&` will
  // do; it takes a GivenSystem where it can use one that is lent.
  std::function<std::unique_ptr<Formulation>(const GivenSystem&, const MethodOptions&)> prepare;
  // What the method has deduced from a system, as text for people; empty when there is nothing to show.
  std::function<std::string(const System&, const MethodOptions&)> explain = {};
  std::optional<OwnIntegration> own_integration = {};
  // Many states of one system at once. Throws ModelError, naming what stands in the way, where only
  // single states can be evaluated. Empty where a method does not offer it.
  std::function<std::unique_ptr<BatchFormulation>(const System&, const MethodOptions&)>
      prepare_batch = {};
  // Arithmetic of one evaluation at a state (DAE and algebraic: residual and Jacobian; time stepper: a
  // step), counted through the kernels that are timed or through the readable equations that tests hold
  // them to. Empty where a method does not count.
  std::function<CountedOperations(const System&, const MethodOptions&, const JointState&)>
      count_operations = {};
};

bool Has(const MethodOptions& options, const std::string& name);

// The number given for an option, else its default.
double Number(const MethodOptions& options, const NumericOption& option);

}  // namespace mbsbench
