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
ProblemFamily Tree12Family();
ProblemFamily Mixed12Family();
ProblemFamily Mixed250Family();
ProblemFamily LadderFamily();
ProblemFamily FourbarFamily();
ProblemFamily WishboneFamily();
ProblemFamily RocketFamily();
ProblemFamily NfourbarFamily();
ProblemFamily AndrewsFamily();
ProblemFamily BricardFamily();
ProblemFamily FlyballFamily();
ProblemFamily Slidercrank3dFamily();
ProblemFamily SwingFamily();
ProblemFamily GovernorFamily();
ProblemFamily GovernorRodsFamily();
ProblemFamily SpunchainNFamily();
ProblemFamily RevoluteNFamily();
ProblemFamily TreeNFamily();
ProblemFamily PuckFamily();
ProblemFamily KapitzaFamily();
ProblemFamily CaraxisFamily();

}  // namespace mbsbench
