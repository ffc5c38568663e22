#include "reports/format/assets.h"

#include "harness/store/embedded_file.h"

MBSBENCH_EMBED(page, MBSBENCH_REPORTS_DIR "/web/src/page.html");
MBSBENCH_EMBED(style, MBSBENCH_REPORTS_DIR "/web/dist/report.css");
MBSBENCH_EMBED(script, MBSBENCH_REPORTS_DIR "/web/dist/report.js");
MBSBENCH_EMBED(drawing, MBSBENCH_REPORTS_DIR "/web/dist/paper.cjs");
MBSBENCH_EMBED(claims, MBSBENCH_REPORTS_DIR "/data/claims.json");
MBSBENCH_EMBED(bibliography, MBSBENCH_REPORTS_DIR "/data/bibliography.bib");
MBSBENCH_EMBED(citation, MBSBENCH_REPORTS_DIR "/../CITATION.cff");

namespace mbsbench::reports {

std::string_view PageAsset() { return MBSBENCH_EMBEDDED(page); }
std::string_view StyleAsset() { return MBSBENCH_EMBEDDED(style); }
std::string_view ScriptAsset() { return MBSBENCH_EMBEDDED(script); }
std::string_view DrawingAsset() { return MBSBENCH_EMBEDDED(drawing); }
std::string_view ClaimsAsset() { return MBSBENCH_EMBEDDED(claims); }
std::string_view BibliographyAsset() { return MBSBENCH_EMBEDDED(bibliography); }
std::string_view CitationAsset() { return MBSBENCH_EMBEDDED(citation); }

}  // namespace mbsbench::reports
