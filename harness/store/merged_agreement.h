// The agreement checks of one problem as one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "harness/store/json_field.h"

namespace mbsbench {

// What a trial of kind 'agreement' says; `record` as in DOCUMENTS.md. A template, since some keep the
// order of fields and some do not.
template <typename Document>
struct AgreementCheck {
  std::string finished;  // UTC; may be empty where the order is that of the checks
  std::string outcome, reason;
  Document record;
};

// How many methods were held against another one.
template <typename Document>
std::ptrdiff_t MethodsCompared(const Document& record) {
  const Document& methods = Field(record, "methods");
  return std::count_if(methods.begin(), methods.end(), [](const Document& method) {
    return Field(method, "difference").is_number();
  });
}

// A method's entry, and how many methods were compared where its difference comes from.
template <typename Document>
struct AgreementEntry {
  Document document;
  std::ptrdiff_t compared = 0;
};

// The newer entry stands, but for what it could not know: who was asked alone has no difference, and
// where the truth was not reached there is no error. A difference is the median over the other methods,
// so that the check of most methods says most.
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

// A run that went on with other methods holds several checks of a problem, each of the methods that
// were asked then. Of each method the newest entry counts. What no entry says alone (outcome, states,
// worst) is that of the check that compared most methods, the newest among equals. Of checks that
// finished in the same second the later one in `checks`, which must not be empty, is newer.
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
