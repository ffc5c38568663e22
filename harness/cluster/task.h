// What a node does for one shard of a shared folder.
#pragma once

#include "harness/cluster/shared_folder.h"

namespace mbsbench {

// Runs 'mbsbench run' on the node's own disk, goes on where earlier tasks of the shard ended, journals each trial to the
// shared folder as it finishes, and moves the store there when all are. Gives the exit code of the run, 130 where the
// shard is not complete though the run ended in order. A shard that is not complete leaves a sentence in `Failed(shard)` and, where its run ended in order, its store in `Partial(shard)`. Throws ModelError, StoreError.
int RunTask(const SharedFolder& folder, int shard, const std::string& own_binary_hash);

}  // namespace mbsbench
