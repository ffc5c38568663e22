// The error that ends a report.
#pragma once

#include "harness/store/store_error.h"

namespace mbsbench {

// The store cannot be reported on, or a file cannot be written: one sentence that names the file, what is wrong and what to do.
using ReportError = StoreError;

}  // namespace mbsbench
