// The parts that the methods of one comparison of accelerations share. Agreement of two methods proves nothing about a part
// that both use.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/cells.h"

namespace mbsbench::reports {

class SharedParts {
 public:
  // The methods of `problem` that were compared with another one.
  SharedParts(const Comparison& comparison, const ProblemResults& problem);

  // "shares loop closure with b, c:general; tree joints with b": variants of the same method are not
  // named. Empty where nothing is shared or the method is not among them.
  std::string Of(const std::string& method) const;

  // "b, c share loop closure"; empty on trees and where no method shares the way it closes loops.
  std::string OnLoops() const;

  // The number of independent ways by which methods close the loops: methods that share one count once, and so do
  // variants. No value on trees, or where a method's parts are not known.
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
