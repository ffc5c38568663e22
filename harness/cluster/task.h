// The work of a node on one shard of a shared folder.
#pragma once

#include "harness/cluster/shared_folder.h"

namespace mbsbench {

// Runs 'mbsbench run' on the node's own disk and continues the work of earlier tasks of the shard. Each finished trial is
// journaled to the shared folder; the store is moved there when all trials are finished. Returns the exit code of the run, or
// 130 if the run ended normally but the shard is not complete. An incomplete shard leaves a sentence in `Failed(shard)` and,
// if its run ended normally, its store in `Partial(shard)`. Throws ModelError, StoreError.
int RunTask(const SharedFolder& folder, int shard, const std::string& own_binary_hash);

}  // namespace mbsbench
