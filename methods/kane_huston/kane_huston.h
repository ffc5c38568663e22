// Kane's equations in Huston's form: partial velocities of every body and their derivatives, stored
// along the paths of the tree (Lu, Gu, Liu et al. 2014, "Recursive Dynamic Algorithm of Open-Chain
// Multibody System"; for rigid bodies after Huston and Liu 1987).
#pragma once

#include "methods/interface/method.h"

namespace mbsbench {

MethodEntry KaneHustonEntry();

}  // namespace mbsbench
