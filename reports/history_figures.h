// Histories as figures: one per quantity of a machine and build, and the file of their numbers.
#pragma once

#include <string>
#include <vector>

#include "reports/document.h"
#include "reports/history.h"

namespace mbsbench::reports {

// One for each machine and build and quantity. Beyond `most` cases those are drawn that changed, then those farthest from
// what they were; the table holds all. `csv`: where its numbers are; `command`: what made them.
std::vector<Figure> HistoryFigures(const RunHistory& history, const std::string& csv,
                                   const std::string& command, std::size_t most);

CsvFile HistoryFile(const std::string& name, const RunHistory& history);

std::string ShortCommit(const std::string& commit);  // ten letters, "unknown"

// "run 2 (abcdef0123), run 5 (...)": where a case changed; "-" where it did not.
std::string ChangesText(const RunHistory& history, const CaseHistory& of, Tracked quantity);

}  // namespace mbsbench::reports
