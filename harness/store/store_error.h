// What a store, or a file made from one, cannot do.
#pragma once

#include "problems/model/error.h"

namespace mbsbench {

// A fault of a store, or of a file: one sentence, shown to the user unchanged.
class StoreError : public ModelError {
 public:
  using ModelError::ModelError;
};

// Another process uses the store; the store is intact.
class StoreInUse : public StoreError {
 public:
  using StoreError::StoreError;
};

}  // namespace mbsbench
