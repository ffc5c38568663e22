// Certificates: references stored as text, one file per problem instance.
//
//   { "problem", "how", "certified_by", "error_estimate", "velocity_error_estimate",
//     "sensitivity": { "how", "of_state": "<3 digits per sample>", "of_data": the same, or "data_left_out": why not },
//     "parameters": hash of what determines the motion,
//     "bodies": ["1", "3"], "columns": "x y z qw qx qy qz vx vy vz wx wy wz",
//     "joints": ["1", "3"], "not_unique": ["3"], "partly_unique": { "3": "fx fy mz" }, "reaction_columns": "fx fy fz mx my mz", "reaction_difference",
//     "samples": [ { "time": 0.01, "motion": ["<13 numbers of 21 digits>", ... one string per body],
//                    "reactions": ["<6 numbers of 17 digits>", ... one string per joint] } ],
//     "events": [ { "name", "time", "energy_lost", "motion" }, ... ] where there are any }
//
// Numbers of motions are strings, because JSON readers round numbers to doubles. A component of a reaction that is not unique
// at one sample counts as not unique at all samples; "partly_unique", if present, lists joints with some unique components.
// Without reactions their fields are absent.
#pragma once

#include <filesystem>
#include <string>

#include "reference/reference.h"
#include "reference/system/extended_system.h"

namespace mbsbench {

// Throws ModelError if the file cannot be read, is not a certificate, or belongs to another problem
// or other parameters.
Reference ReadCertificate(const std::filesystem::path& file, const Problem& problem);

// Throws ModelError if the error estimate is above 1e-4 L: solutions count as inaccurate from 1e-3 L on, and a reference has to know
// that bound to a tenth.
void RequireExact(const Reference& reference);

// Converts numbers to the pairs of doubles of a ReferenceSample, and back.
void Split(const extended::Motion& motion, ReferenceSample& sample);
extended::Motion Join(const ReferenceSample& sample);

}  // namespace mbsbench
