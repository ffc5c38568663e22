#include "methods/numerics/tree_motion.h"

namespace mbsbench {

template class TreeMotion<double>;

}  // namespace mbsbench
