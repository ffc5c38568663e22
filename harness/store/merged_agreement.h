// Merges the agreement checks of one problem.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "harness/store/json_field.h"

namespace mbsbench {

// A trial of kind 'agreement'; `record` as in DOCUMENTS.md. A template, since some document types
// keep the order of fields and others do not.
template <typename Document>
struct AgreementCheck {
  std::string finished;  // UTC; may be empty; the order is then that of the checks
  std::string outcome, reason;
  Document record;
};

// How many methods were compared with another one.
template <typename Document>
std::ptrdiff_t MethodsCompared(const Document& record) {
  const Document& methods = Field(record, "methods");
  return std::count_if(methods.begin(), methods.end(), [](const Document& method) {
    return Field(method, "difference").is_number();
  });
}

// A method's entry, and the number of methods in the check from which its difference is taken.
template <typename Document>
struct AgreementEntry {
  Document document;
  std::ptrdiff_t compared = 0;
};

// The newer entry replaces the older one, except for values that it lacks: a method that was
// checked alone has no difference, and without the truth there is no error. A difference is the
// median over the other methods, so the one from the check of most methods is kept.
template <typename Document>
void Supersede(AgreementEntry<Document>& entry, AgreementEntry<Document> newer) {
  const auto is_known = [](const Document& document, const char* field) {
    return Field(document, field).is_number();
  };
  const Document& reason = Field(newer.document, "reason");
  const bool failed = reason.is_string() && reason != "";
  if (!failed && !is_known(newer.document, "error") && is_known(entry.document, "error"))
    newer.document["error"] = Field(entry.document, "error");
  if (is_known(entry.document, "difference") &&
      (is_known(newer.document, "difference") ? entry.compared > newer.compared : !failed)) {
    newer.document["difference"] = Field(entry.document, "difference");
    newer.compared = entry.compared;
  }
  entry = std::move(newer);
}

// A run that was continued with other methods holds several checks of a problem, each for the
// methods of that command. The newest entry of each method is used. The values of a whole check
// (outcome, states, worst) are those of the check that compared most methods, the newest among
// equals. Among checks that finished in the same second the later one in `checks` is newer.
// `checks` must not be empty.
template <typename Document>
AgreementCheck<Document> MergedAgreement(std::vector<AgreementCheck<Document>> checks) {
  std::stable_sort(checks.begin(), checks.end(),
                   [](const auto& a, const auto& b) { return a.finished < b.finished; });
  const AgreementCheck<Document>* widest = &checks.front();
  std::vector<AgreementEntry<Document>> entries;
  for (const AgreementCheck<Document>& check : checks) {
    const std::ptrdiff_t compared = MethodsCompared(check.record);
    if (compared >= MethodsCompared(widest->record)) widest = &check;
    for (const Document& method : Field(check.record, "methods")) {
      if (!method.is_object()) continue;
      const auto known = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
        return Field(entry.document, "method") == Field(method, "method");
      });
      if (known == entries.end())
        entries.push_back({method, compared});
      else
        Supersede(*known, {method, compared});
    }
  }
  AgreementCheck<Document> merged = *widest;
  if (!merged.record.is_object()) merged.record = Document::object();
  Document& methods = merged.record["methods"] = Document::array();
  for (AgreementEntry<Document>& entry : entries) methods.push_back(std::move(entry.document));
  return merged;
}

}  // namespace mbsbench
