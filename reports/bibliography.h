#pragma once

#include <string>

namespace mbsbench::reports {

// The papers and books that methods and problems come from, as BibTeX.
std::string Bibliography();

}  // namespace mbsbench::reports
