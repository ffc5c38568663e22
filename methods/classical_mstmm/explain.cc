#include "methods/classical_mstmm/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// Words with a separator; the middle of long lists is counted, not shown.
std::string List(const std::vector<std::string>& words, const std::string& separator) {
  constexpr std::size_t kMost = 14, kEnds = 5;
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words.size() > kMost && i == kEnds) {
      text += fmt::format("{}...[{} more]...", separator, words.size() - 2 * kEnds);
      i = words.size() - kEnds;
    }
    if (i > 0) text += separator;
    text += words[i];
  }
  return text;
}

class Explanation {
 public:
  Explanation(const System& system, const TransferTree<double>& tree, const Deduction& deduction,
              bool hinges_as_matrices)
      : system_(system), tree_(tree), d_(deduction), matrices_(hinges_as_matrices) {}

  std::string Text() {
    const int size = 2 * d_.half + 1;
    out_ << "Overall transfer equation, deduced from the topology (Rui et al. 2018)\n"
         << "state vector   z = [a, alpha, m, q, 1]" << (d_.half == 3 ? "^T of the plane" : "^T")
         << ", transfer matrices " << size << " x " << size << "\n"
         << "hinges         "
         << (matrices_ ? "transfer matrices of their own (eqs 10 to 13 of Rui et al. 2020)"
                       : "z_b,O = z_b,I - H qdd - c with unknown qdd, and rows H'P z_a = -tau")
         << "\n\n";
    if (tree_.groups.size() <= system_.joints.size())
      out_ << "bodies         held together by fixed joints are one, named after that nearest the "
              "root\n\n";
    Boundaries();
    Chains();
    MainTransferEquations();
    GeometricEquations();
    SupplementEquations();
    Sizes();
    return out_.str();
  }

 private:
  std::string Body(int k) const { return HeadOf(system_, tree_.groups[At(k)]).name; }
  std::string Hinge(int k) const { return JointOf(system_, tree_.groups[At(k)]).name; }
  int Outboard(int k) const { return tree_.groups[At(k)].parent; }
  int InputNumber(int k) const {
    int number = 1;
    for (int c = tree_.first_input[At(Outboard(k))]; c != k; c = tree_.next_input[At(c)]) ++number;
    return number;
  }
  std::string State(int tip) const { return fmt::format("z_{{{},0}}", Body(tip)); }

  std::vector<int> Tips() const {
    std::vector<int> tips;
    for (std::size_t k = 1; k < d_.elements.size(); ++k) {
      if (tree_.IsTip(k)) tips.push_back(static_cast<int>(k));
    }
    return tips;
  }
  // Whether the path from k to the root passes `element`, k itself included.
  bool Passes(int k, int element) const {
    for (; k != 0; k = Outboard(k)) {
      if (k == element) return true;
    }
    return false;
  }
  int RootOf(int k) const {
    while (Outboard(k) != 0) k = Outboard(k);
    return k;
  }

  // Transfer matrices from a tip to the output end of `last`, or to the input side O_1 of it.
  std::string Product(int tip, int last, bool through_last) const {
    std::vector<std::string> factors;
    for (int k = tip;; k = Outboard(k)) {
      if (k != last || through_last) {
        const bool several = !tree_.IsTip(At(k)) && !tree_.HasOneInput(At(k));
        factors.push_back(fmt::format("U_{{{}}}{}", Body(k), several ? ",I1-IL" : ""));
      }
      if (k == last) break;
      const bool several = !tree_.HasOneInput(At(Outboard(k)));
      factors.push_back(several ? fmt::format("^U_{{{}}},I{}", Hinge(k), InputNumber(k))
                                : fmt::format("U_{{{}}}", Hinge(k)));
    }
    std::reverse(factors.begin(), factors.end());
    return List(factors, " ");
  }

  void Boundaries() {
    std::vector<std::string> tips, roots;
    for (int tip : Tips()) tips.push_back(State(tip));
    out_ << "tips           " << List(tips, ", ") << "   (m = q = 0; a, alpha unknown)\n";
    for (std::size_t k = 1; k < d_.elements.size(); ++k) {
      if (d_.elements[k].role != HingeRole::kRoot) continue;
      out_ << "root           z_{" << Body(static_cast<int>(k)) << ",O} at joint '"
           << Hinge(static_cast<int>(k)) << "' (" << Name(tree_.groups[k].type)
           << ") on the ground: " << d_.elements[k].free_axes << " accelerations and "
           << d_.half - d_.elements[k].free_axes << " reactions unknown\n";
    }
    for (std::size_t k = 1; k < d_.elements.size(); ++k) {
      for (const CutBoundary& cut : d_.elements[k].cuts) {
        out_ << "new boundary   of cut joint '" << system_.loop_joints[At(cut.loop)].name
             << "' on body " << Body(static_cast<int>(k)) << ": " << cut.rows
             << " cut forces unknown\n";
      }
    }
    out_ << "\n";
  }

  // From a tip rootwards until the chain enters a further input, or the ground.
  void Chains() {
    for (int tip : Tips()) {
      std::vector<std::string> chain{"0", Body(tip)};
      int k = tip;
      while (d_.elements[At(k)].role == HingeRole::kFirstInput) {
        chain.push_back(Hinge(k));
        k = Outboard(k);
        chain.push_back(Body(k));
      }
      chain.push_back(Hinge(k));
      const bool main = d_.elements[At(k)].role == HingeRole::kRoot;
      chain.push_back(main ? "0" : fmt::format("I_{} of {}", InputNumber(k), Body(Outboard(k))));
      out_ << (main ? "main chain     " : "branch         ") << List(chain, " -> ") << "\n";
    }
    out_ << "\n";
  }

  std::string Sum(const std::vector<int>& tips, const std::string& to) const {
    std::vector<std::string> terms;
    for (int tip : tips) terms.push_back(fmt::format("T_{{{}-{}}} {}", Body(tip), to, State(tip)));
    return List(terms, " + ");
  }

  void MainTransferEquations() {
    for (std::size_t r = 1; r < d_.elements.size(); ++r) {
      if (d_.elements[r].role != HingeRole::kRoot) continue;
      const int root = static_cast<int>(r);
      std::vector<int> tips;
      for (int tip : Tips()) {
        if (RootOf(tip) == root) tips.push_back(tip);
      }
      out_ << "main transfer equation\n  -z_{" << Body(root) << ",O} + " << Sum(tips, Body(root))
           << " = 0\n";
      std::size_t shown = 0;
      for (int tip : tips) {
        if (++shown > kMostShown) break;
        out_ << "    T_{" << Body(tip) << "-" << Body(root) << "} = " << Product(tip, root, true)
             << "\n";
      }
      if (tips.size() > kMostShown) {
        out_ << "    ... and " << tips.size() - kMostShown << " further tips\n";
      }
    }
    out_ << "\n";
  }

  // Eqs 14 and 15 of 2020 for ball hinges: z_b at I_k by the body's first input and by its own chain.
  void GeometricEquations() {
    out_ << "geometric equations   " << d_.further_inputs << "\n";
    std::size_t shown = 0;
    for (std::size_t k = 1; k < d_.elements.size(); ++k) {
      const DeducedElement& e = d_.elements[k];
      if (e.role != HingeRole::kFurtherInput) continue;
      if (++shown > kMostShown) continue;
      const int own = static_cast<int>(k), body = Outboard(own);
      const int first = tree_.first_input[At(body)];
      std::vector<std::string> by_body, by_chain;
      for (int tip : Tips()) {
        // If hinges have matrices, the body's angular acceleration depends on all inputs.
        if (Passes(tip, matrices_ ? body : first)) {
          by_body.push_back(fmt::format("{} {}", Product(tip, body, false), State(tip)));
        }
        if (Passes(tip, own))
          by_chain.push_back(fmt::format("{} {}", Product(tip, own, true), State(tip)));
      }
      const std::string input = fmt::format("I{}", InputNumber(own));
      out_ << "  I_" << InputNumber(own) << " of body " << Body(body) << ", joint '" << Hinge(own)
           << "': H_{O1," << input << "} (" << List(by_body, " + ") << ") = H_{" << input << "} ("
           << List(by_chain, " + ") << ")   " << d_.half - e.free_axes << " accelerations, "
           << e.conditions << " of forces and moments\n";
    }
    if (shown > kMostShown) out_ << "  ... and " << shown - kMostShown << " further\n";
    out_ << "\n";
  }

  void SupplementEquations() {
    out_ << "supplement equations  " << system_.loop_joints.size() << "\n";
    const auto name = [&](int body) {
      return body == kGround ? std::string("the ground")
                             : fmt::format("body {}", system_.bodies[At(body)].name);
    };
    for (const Joint& joint : system_.loop_joints) {
      out_ << "  cut joint '" << joint.name << "' (" << Name(joint.type) << ") between "
           << name(joint.parent) << " and " << name(joint.child) << ": "
           << ConstraintCount(joint.type)
           << " equal accelerations along its blocked directions, m and q opposite\n";
    }
    out_ << "\n";
  }

  void Sizes() {
    int hinges = 0, roots = 0, root_rows = 0, geometric = 0, conditions = 0;
    for (const DeducedElement& e : d_.elements) {
      conditions += e.conditions;
      if (e.role == HingeRole::kRoot) {
        roots += d_.half;
        root_rows += 2 * d_.half - e.free_axes;
      } else if (e.hinge_column >= 0) {
        hinges += e.free_axes;
      }
      if (e.role == HingeRole::kFurtherInput) geometric += d_.half - e.free_axes;
    }
    const int order = d_.unknowns + d_.cut_forces;
    out_ << "overall matrix        " << order << " x " << order << "\n"
         << "  unknowns   " << d_.tips * d_.half << " at tips, " << roots << " at roots, " << hinges
         << " qdd of hinges, " << d_.cut_forces << " cut forces\n"
         << "  equations  " << root_rows << " main transfer, " << geometric << " geometric, "
         << conditions << " H'P z_a = -tau at hinges, " << d_.cut_forces << " supplement\n";
  }

  static constexpr std::size_t kMostShown = 20;
  const System& system_;
  const TransferTree<double>& tree_;
  const Deduction& d_;
  const bool matrices_;
  std::ostringstream out_;
};

}  // namespace

std::string ExplainDeduction(const System& system, const TransferTree<double>& tree,
                             const Deduction& deduction, bool hinges_as_matrices) {
  return Explanation(system, tree, deduction, hinges_as_matrices).Text();
}

}  // namespace mbsbench
