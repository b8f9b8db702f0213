#include "gradus/blocks/linear/shrinkage.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/linear/ridge/params.hpp"

namespace gradus {

template const Entry& entry<Ridge>();

ShrunkModel Ridge::fit(const TrainTask& task, const Context& context) const {
  return fit_shrunk({.alpha = alpha, .l1_ratio = 0, .scale = AlphaScale::sum, .options = shrinkage},
                    task, context);
}

}  // namespace gradus
