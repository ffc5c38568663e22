#pragma once

#include <string>

#include "reports/format/document.h"

namespace mbsbench::reports {

// One self-contained file: the page of web/src/page.html with style, script and the document as
// JSON inside.
std::string RenderHtml(const Document& document);

// The data from which the script draws a figure.
Json FigureJson(const Figure& figure);

}  // namespace mbsbench::reports
