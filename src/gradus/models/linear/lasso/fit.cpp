#include "gradus/blocks/linear/shrinkage.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/linear/lasso/params.hpp"

namespace gradus {

template const Entry& entry<Lasso>();

ShrunkModel Lasso::fit(const TrainTask& task, const Context& context) const {
  return fit_shrunk({.alpha = alpha,
                     .l1_ratio = 1,
                     .scale = AlphaScale::mean,
                     .options = shrinkage,
                     .descent = descent,
                     .warm = warm},
                    task, context);
}

}  // namespace gradus
