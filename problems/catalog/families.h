// One function per problem file; catalog.cc lists them.
#pragma once

#include "problems/catalog/catalog.h"

namespace mbsbench {

ProblemFamily PendulumFamily();
ProblemFamily Dpend18Family();
ProblemFamily Branch4Family();
ProblemFamily BranchNFamily();
ProblemFamily DzhanibekovFamily();
ProblemFamily HeavytopFamily();
ProblemFamily ChainNFamily();
ProblemFamily ChainN3dFamily();
ProblemFamily SlidersFamily();
ProblemFamily SwingFamily();
ProblemFamily GovernorFamily();
ProblemFamily GovernorRodsFamily();
ProblemFamily SpunchainNFamily();

}  // namespace mbsbench
