// Equations of motion of index 3, discretised directly with error control in displacements, as commercial programs do it.
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry Index3DirectEntry();

}  // namespace mbsbench
