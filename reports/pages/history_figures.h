// Histories as figures and as a CSV file.
#pragma once

#include <string>
#include <vector>

#include "reports/analysis/history.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

// One figure per machine, build and quantity. Of many cases it shows those that changed, then those that moved most; the
// table lists all. `csv` is the file of the numbers, `command` the command that produced them.
std::vector<Figure> HistoryFigures(const RunHistory& history, const std::string& csv,
                                   const std::string& command);

CsvFile HistoryFile(const std::string& name, const RunHistory& history);

std::string ShortCommit(const std::string& commit);  // ten characters, or "unknown"

// "run 2 (abcdef0123), run 5 (...)": the runs in which a case changed; "-" if there is none.
std::string ChangesText(const RunHistory& history, const CaseHistory& of, Tracked quantity);

}  // namespace mbsbench::reports
