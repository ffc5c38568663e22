#include "reports/assets.h"

// The assembler copies the files into read-only data: no generated source, and no time to compile
// one. CMake passes MBSBENCH_REPORTS_DIR and rebuilds this file when one of them changes.
#define MBSBENCH_EMBED(name, file)               \
  __asm__(                                       \
      ".pushsection .rodata\n"                   \
      ".balign 16\n"                             \
      ".global mbsbench_" #name                  \
      "\n"                                       \
      ".hidden mbsbench_" #name                  \
      "\n"                                       \
      ".global mbsbench_" #name                  \
      "_end\n"                                   \
      ".hidden mbsbench_" #name                  \
      "_end\n"                                   \
      "mbsbench_" #name                          \
      ":\n"                                      \
      ".incbin \"" MBSBENCH_REPORTS_DIR "/" file \
      "\"\n"                                     \
      "mbsbench_" #name                          \
      "_end:\n"                                  \
      ".byte 0\n"                                \
      ".popsection\n");                          \
  extern "C" const char mbsbench_##name[], mbsbench_##name##_end[]

MBSBENCH_EMBED(page, "web/src/page.html");
MBSBENCH_EMBED(style, "web/dist/report.css");
MBSBENCH_EMBED(script, "web/dist/report.js");
MBSBENCH_EMBED(drawing, "web/src/draw.cjs");
MBSBENCH_EMBED(claims, "data/claims.json");
MBSBENCH_EMBED(bibliography, "data/bibliography.bib");

namespace mbsbench::reports {

namespace {

std::string_view Between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view PageAsset() { return Between(mbsbench_page, mbsbench_page_end); }
std::string_view StyleAsset() { return Between(mbsbench_style, mbsbench_style_end); }
std::string_view ScriptAsset() { return Between(mbsbench_script, mbsbench_script_end); }
std::string_view DrawingAsset() { return Between(mbsbench_drawing, mbsbench_drawing_end); }
std::string_view ClaimsAsset() { return Between(mbsbench_claims, mbsbench_claims_end); }
std::string_view BibliographyAsset() {
  return Between(mbsbench_bibliography, mbsbench_bibliography_end);
}

}  // namespace mbsbench::reports
