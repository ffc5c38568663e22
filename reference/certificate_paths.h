// The folders in which certificates are searched.
#pragma once

#include <filesystem>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

// In this order: in the folder that the environment variable MBSBENCH_REFERENCE_DIR names, if it is set;
// in that of the catalogue, which is installed with the executable or is part of the sources.
std::vector<std::filesystem::path> CertificatePaths(const Problem& problem);

// Whether a certificate exists, for any parameters.
bool HoldsCertificate(const Problem& problem);

}  // namespace mbsbench
