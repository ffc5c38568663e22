// The entry of a method in the list of methods: its name, the systems that it supports, and its
// preparation.
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

// Whether a method supports a system; if not, the reason as a sentence that names the body or
// joint.
struct Verdict {
  bool supported = true;
  std::string reason;
  static Verdict No(std::string why) { return {false, std::move(why)}; }
};

// The options after the colon of a method spec, "general,projected" -> {"general", "projected"}; then
// numbers that differ from their defaults, "rho=0.8".
using MethodOptions = std::vector<std::string>;

// The group of options that are variants of a method: tables have a column for each.
inline constexpr std::string_view kVariantGroup = "variant";

// A method's own scheme (Formulation::time_stepper): with fixed steps, adaptive steps, or both.
struct OwnIntegration {
  std::string title;  // "RK4 of MuJoCo"
  bool fixed_step = true, adaptive = false;
  int order = 0;  // classical order; 0: variable
};

struct MethodOption {
  std::string name;     // "paper"
  std::string meaning;  // one line
  std::string group;    // options of one group exclude each other: "variant", "stabilisation"
  bool is_default = false;
  // For this variant, if they differ from those of the entry.
  std::optional<Form> form = {};
  std::optional<Capabilities> capabilities = {};
  std::optional<std::vector<std::string>> shared_parts = {};
  std::optional<double> cost_exponent = {};
  std::optional<OwnIntegration> own_integration = {};
  int threads = 1;  // of an evaluation; each gets a processor of its own
};

// A numeric option: "lie-generalised-alpha:rho=0.8". With the unit "1/T" it is a multiple of the problem's 1/T:
// for T = 1 ms prepare() reads "rate=10", and so the default, as 10000 in 1/s.
struct NumericOption {
  std::string name;     // "rho"
  std::string meaning;  // one line
  std::string unit;     // "1/s"; empty: none
  double by_default = 0, least = 0, most = 0;
  std::string with = {};  // the option that it requires; empty: none
};

// Where a method comes from. A method of a plug-in is kPlugIn, unless its entry says kEngine.
enum class Origin { kOurs, kEngine, kPlugIn };

// Promises (docs/conform.md) that the method is known to break. A test fails if a row is not needed.
struct DeclaredLimit {
  std::vector<std::string> promises;  // "energy", "reference-swing*": patterns as of fnmatch
  double bound = 0;        // replaces the bound of the promises; infinite: they are not kept at all
  std::string reason;      // one clause, with what was measured
  std::string with = {};   // the option to which it applies; empty: all
  bool by_chance = false;  // whether it is needed depends on the last bits
  // Above 0: the promises are kept, but take this much CPU time; `bound` is not read.
  double seconds = 0;
};

struct MethodEntry {
  std::string key;     // "riccati-mstmm"
  std::string title;   // "Riccati transfer matrix method"
  std::string source;  // citation
  std::string description;
  Form form = Form::kOde;  // of all variants that do not state their own
  // The cost of an evaluation of a chain grows with this power of the bodies; of all variants that do not state their own.
  // Above 1, evaluations of large systems are left to the full run.
  double cost_exponent = 1;
  Origin origin = Origin::kOurs;
  // Code that the method (all variants that do not state their own) shares with other methods: "loop closure". The
  // agreement of two methods proves nothing about code that they share. A test compares the list with the include
  // lines of the method's folder; the files of a variant with its own list begin with its name.
  std::vector<std::string> shared_parts = {};
  std::vector<MethodOption> options;
  std::vector<NumericOption> numbers = {};
  std::vector<DeclaredLimit> limits = {};
  Capabilities capabilities = {};  // of all variants that do not state their own
  // All functions get options that have been checked against `options`, with defaults filled in.
  // Refuses systems within the capabilities for reasons that no list can express: a singular hinge
  // of a paper's form, a size. Empty: none is refused. Called for every system, also of 100,000 bodies: it only reads
  // the lists of the system.
  std::function<Verdict(const System&, const MethodOptions&)> supports = {};
  // Prepares a validated system that passes the capabilities and `supports`. May throw ModelError otherwise. A function of `const
  // System&` is sufficient; one of `const GivenSystem&` has the scales of the problem, and can use a lent system without a copy.
  std::function<std::unique_ptr<Formulation>(const GivenSystem&, const MethodOptions&)> prepare;
  // How variants integrate that do not state it themselves.
  std::optional<OwnIntegration> own_integration = {};
  // The values that the method gives to components of reactions that are not unique: a name from the list of
  // docs/atlas.md, "dropped-rows". Empty: it does not tell which components are unique.
  std::string reaction_choice = {};
  // Optional abilities before preparation; empty: the method lacks this one.
  // The equations or decisions that the method has deduced from a system, as text; no text if there is
  // nothing to show.
  std::function<std::string(const System&, const MethodOptions&)> explain = {};
  // Several states of one system at once. Throws ModelError with the reason if only single states
  // of the system can be evaluated.
  std::function<std::unique_ptr<BatchFormulation>(const GivenSystem&, const MethodOptions&)>
      prepare_batch = {};
  // Arithmetic of one evaluation at a state (DAE and algebraic: residual and Jacobian; time stepper: a
  // step), counted with the timed kernels or with the printed equations that tests compare them with.
  std::function<CountedOperations(const System&, const MethodOptions&, const JointState&)>
      count_operations = {};
};

bool Has(const MethodOptions& options, const std::string& name);

// The value of a numeric option, or its default.
double Number(const MethodOptions& options, const NumericOption& option);

}  // namespace mbsbench
