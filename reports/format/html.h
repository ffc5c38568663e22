#pragma once

#include <string>

#include "reports/format/document.h"

namespace mbsbench::reports {

// One self-contained file: the page of web/src/page.html with style, script and the document as
// JSON inside.
std::string RenderHtml(const Document& document);

}  // namespace mbsbench::reports
