#include "gradus/api/examination.hpp"

#include <fmt/format.h>

#include "gradus/api/fit_parts.hpp"
#include "gradus/core/error.hpp"

namespace gradus {

void require_examined(const Info& info, const Dataset* validation) {
  if (validation == nullptr) return;
  if (!info.accepts.has(Accept::validation)) {
    throw Error(
        ErrorKind::usage, "--validation",
        fmt::format("{} is not examined by validation rows while it learns", info.name),
        those_that_can([](const Entry& one) { return one.info.accepts.has(Accept::validation); }));
  }
  if (validation->rows() == 0) {
    throw Error(ErrorKind::bad_data, "--validation", "there are no rows in the validation data");
  }
}

Examination::Examination(const AnyLearner& learner, const Preparation& preparation,
                         const Signature& signature, const FitOptions& options,
                         const Context& context) {
  const Dataset& data = *options.validation;
  try {
    const Survey facts = survey(data, context);
    fingerprint_ = facts.fingerprint;
    std::vector<std::string> read;
    for (const SourceColumn& source : preparation.sources) read.push_back(source.name);
    refuse_infinite(data, facts, read);
    features_ = preparation.apply(data, Extra::ignore, nullptr);
    target_ = match_target(signature, data);
    // A column of weights that these rows lack weighs them alike.
    FitOptions own = options;
    if (data.find(own.weights) == nullptr) own.weights.clear();
    weights_ = weight_column(data, own);
    queries_ = queries_of(learner, data);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    throw Error(error.kind(), error.where(), "in the validation rows: " + error.message(),
                error.hint());
  }
}

}  // namespace gradus
