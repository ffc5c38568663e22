// What the methods of one comparison of accelerations have in common: that two agree proves nothing of a
// part that both rest on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/agreement.h"
#include "reports/cells.h"

namespace mbsbench::reports {

class SharedParts {
 public:
  // Of the methods of `problem` that were compared with another one.
  SharedParts(const Comparison& comparison, const ProblemResults& problem);

  // "shares loop closure with b, c:general; tree joints with b": variants of one method share all they
  // have and are not named. Empty where it shares nothing, or is not known.
  std::string Of(const std::string& method) const;

  // "b, c share loop closure": how loops are closed, where the problem has some; empty where nobody shares.
  std::string OnLoops() const;

  // How many close the loops of the problem by ways of their own: methods that share how they do it count as one,
  // and so do variants. No value on trees, and where a method's parts are not known.
  std::optional<int> IndependentOnLoops() const;

 private:
  struct Method {
    std::string spec, key;
    std::vector<std::string> parts;
  };
  std::vector<Method> methods_;
  bool has_loops_ = false, all_known_ = true;
};

}  // namespace mbsbench::reports
