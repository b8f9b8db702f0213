// The rows that examine a fit: prepared as those that teach, and nothing is decided by them.
#pragma once

#include <string>
#include <vector>

#include "gradus/api/fit.hpp"
#include "gradus/api/target.hpp"

namespace gradus {

// Error{usage} with the learners that can, unless this one is examined by rows of the user.
void require_examined(const Info& info, const Dataset* validation);

class Examination {
 public:
  // Of `options.validation`.
  Examination(const AnyLearner& learner, const Preparation& preparation, const Signature& signature,
              const FitOptions& options, const Context& context);

  // It refers to this object and to the signature.
  TrainTask task(const Signature& signature) const {
    return {features_, signature, target_.codes, target_.numbers, weights_, queries_};
  }
  const std::string& fingerprint() const { return fingerprint_; }

 private:
  Features features_;
  TargetData target_;
  std::vector<double> weights_;
  std::vector<double> queries_;
  std::string fingerprint_;
};

}  // namespace gradus
