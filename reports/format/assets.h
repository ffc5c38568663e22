// The page, its style and its script, which are built from web/, and the data of the reports. They are part of this
// library, so a report needs no source tree.
#pragma once

#include <string_view>

namespace mbsbench::reports {

std::string_view PageAsset();     // web/src/page.html
std::string_view StyleAsset();    // web/dist/report.css
std::string_view ScriptAsset();   // web/dist/report.js
std::string_view DrawingAsset();  // web/dist/paper.cjs
std::string_view ClaimsAsset();   // data/claims.json

// data/bibliography.bib: the sources of methods and problems, as BibTeX.
std::string_view BibliographyAsset();
std::string_view CitationAsset();  // CITATION.cff: how to cite mbsbench

}  // namespace mbsbench::reports
