#include "gradus/blocks/linear/shrinkage.hpp"
#include "gradus/contract/entry_impl.hpp"
#include "gradus/models/linear/elastic_net/params.hpp"

namespace gradus {

template const Entry& entry<ElasticNet>();

ShrunkModel ElasticNet::fit(const TrainTask& task, const Context& context) const {
  return fit_shrunk({.alpha = alpha,
                     .l1_ratio = l1_ratio,
                     .scale = AlphaScale::mean,
                     .options = shrinkage,
                     .descent = descent,
                     .warm = warm},
                    task, context);
}

}  // namespace gradus
