// The health card as a document: 'mbsbench health --json' prints it, 'mbsbench report --health' shows it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/records/fields.h"
#include "harness/records/named_values.h"
#include "harness/records/number.h"

namespace mbsbench {

// How many random models ended how.
struct HealthRow {
  std::string method = {}, kind = {};  // empty: of all
  std::int64_t models = 0, refused = 0, crashed = 0, hung = 0;
  std::int64_t explained = 0, unexplained = 0;  // errors above 1e-6
  // Right digits that half and 99 % of the answers have, and of the worst one, 0 to 16.
  MaybeNumber digits_p50 = {}, digits_p99 = {}, digits_worst = {};

  bool is_ill() const { return crashed + hung + unexplained > 0; }

  MBSBENCH_FIELDS(method, kind, models, refused, crashed, hung, explained, unexplained, digits_p50,
                  digits_p99, digits_worst)
};

// The first unexplained error of a method on a kind of models, with the file of the smallest model that shows it.
struct HealthCase {
  std::string method = {}, kind = {};
  std::uint64_t model = 0;  // its number
  MaybeNumber error = {};   // of the whole model, at most 1e99
  std::string reason = {}, file = {};

  MBSBENCH_FIELDS(method, kind, model, error, reason, file)
};

struct HealthCard {
  std::uint64_t models = 0, seed = 0;
  NamedValues<std::string> engines = {};  // titles, by their methods
  // Method by method a row for all models and one for each kind of them; then a row for each kind by all methods.
  std::vector<HealthRow> rows = {};
  std::vector<HealthCase> cases = {};

  MBSBENCH_FIELDS(models, seed, engines, rows, cases)
};

}  // namespace mbsbench
