// Where certificates are looked for.
#pragma once

#include <filesystem>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

// In this order: in the folder that the environment variable MBSBENCH_REFERENCE_DIR names, if it is set;
// in the catalogue's, which is installed with the executable or lies with the sources.
std::vector<std::filesystem::path> CertificatePaths(const Problem& problem);

// Whether one of them is there, for whatever parameters.
bool HoldsCertificate(const Problem& problem);

}  // namespace mbsbench
