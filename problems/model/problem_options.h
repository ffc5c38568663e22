// Reading the options of a problem name.
#pragma once

#include <string>
#include <vector>

#include "problems/model/problem_family.h"

namespace mbsbench {

// The whole number that option `name` gives, or `fallback` without it. Throws ModelError outside
// [least, most].
int IntegerOption(const ProblemOptions& options, const std::string& name, int fallback, int least,
                  int most);

// The number that option `name` gives, or `fallback` without it. Throws ModelError outside
// [least, most].
double NumberOption(const ProblemOptions& options, const std::string& name, double fallback,
                    double least, double most);

// "speed=40", by the shortest text that reads back as the same number.
std::string NumberText(const std::string& name, double value);

// "swing:damped,speed=40"; empty options are left out.
std::string NameWith(const std::string& family, const std::vector<std::string>& options);

}  // namespace mbsbench
