// The problems whose motion is known: what the tests of references go through.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "problems/catalog/catalog.h"
#include "reference/closed_form.h"
#include "reference/reference.h"

namespace mbsbench {

// The catalogue's instances for which a certificate lies beside the sources or a closed form holds, in
// the catalogue's order. Whether a certificate fits its problem is for the tests to see.
inline const std::vector<std::string>& HeldInstances() {
  static const std::vector<std::string> held = [] {
    std::vector<std::string> names;
    for (const ProblemFamily& family : AllProblems()) {
      for (const std::string& name : family.instances) {
        const Problem p = MakeProblem(name);
        if (std::filesystem::exists(CertificatePath(p)) || extended::ClosedForm(p))
          names.push_back(name);
      }
    }
    return names;
  }();
  return held;
}

}  // namespace mbsbench
