// The problems with a known motion, for the tests of references.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "problems/catalog/catalog.h"
#include "reference/closed_forms/closed_form.h"
#include "reference/reference.h"

namespace mbsbench {

// The catalogue's instances with a certificate in the source tree or a closed form, in the catalogue's
// order. The tests check whether a certificate fits its problem.
inline const std::vector<std::string>& HeldInstances() {
  static const std::vector<std::string> held = [] {
    std::vector<std::string> names;
    for (const ProblemFamily& family : AllProblems()) {
      for (const std::string& name : family.instances) {
        const Problem p = MakeProblem(name);
        if (std::filesystem::exists(CertificatePath(p)) || extended::HasClosedForm(p))
          names.push_back(name);
      }
    }
    return names;
  }();
  return held;
}

// A closed form is computed in each process.
using extended::WithFewSamples;

}  // namespace mbsbench
