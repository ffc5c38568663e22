#include "methods/steady_state_newton/relative_tree_inline.h"

namespace mbsbench::steady {

template class RelativeTree<double>;

}  // namespace mbsbench::steady
