// From the columns of a table to the numbers of a learner, decided once at training and replayed at
// prediction.
//
// The plan is made from what the learner accepts: nominal columns become codes or encoded numbers,
// ordinal ones the places of their levels, missing cells stay or are imputed, columns may be
// standardised. It is stored in the model and
// shown by `describe`. At prediction, columns are matched by name; their order does not matter, and
// a column that is missing or unknown is an error that lists both.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gradus/contract/features.hpp"
#include "gradus/contract/signature.hpp"
#include "gradus/core/context.hpp"
#include "gradus/core/describe.hpp"
#include "gradus/data/dataset.hpp"
#include "gradus/data/survey.hpp"

namespace gradus {

// What to do with a category that training never saw. With `other` every nominal column has a level
// more, kOtherLevel, of which training had no row unless the data name it so themselves.
enum class Unseen { missing, error, other };
constexpr std::array<std::string_view, 3> enum_names(Unseen) {
  return {"missing", "error", "other"};
}
inline constexpr std::string_view kOtherLevel = "(other)";

// What to do with missing cells that the learner cannot take.
enum class Missing { impute, error };
constexpr std::array<std::string_view, 2> enum_names(Missing) { return {"impute", "error"}; }

// What to do with columns that the model does not know.
enum class Extra { error, ignore };

constexpr std::array<std::string_view, 4> enum_names(ColumnKind) {
  return {"numeric", "nominal", "ordinal", "text"};
}
constexpr std::array<std::string_view, 3> enum_names(FeatureOp) {
  return {"value", "indicator", "lookup"};
}

struct PrepareOptions {
  std::optional<Encoding> encode = {};  // nothing: what the learner prefers
  Missing missing = Missing::impute;
  Unseen unseen = Unseen::missing;
  bool standardize = false;
};

// A column that the model reads, as training saw it.
struct SourceColumn {
  std::string name;
  ColumnKind kind = ColumnKind::numeric;
  std::vector<std::string> levels;

  template <class S = SourceColumn>
  static constexpr auto describe() {
    return Members{field(&S::name, 1, "name"), field(&S::kind, 2, "kind"),
                   field(&S::levels, 3, "levels")};
  }
};

// One number that the learner reads.
struct PreparedFeature {
  std::string name;
  std::int32_t source = 0;  // index of its SourceColumn
  FeatureOp op = FeatureOp::value;
  std::int32_t level = 0;
  std::vector<double> table = {};
  double fill = std::numeric_limits<double>::quiet_NaN();
  double shift = 0;
  double scale = 1;

  template <class F = PreparedFeature>
  static constexpr auto describe() {
    return Members{field(&F::name, 1, "name"),   field(&F::source, 2, "source"),
                   field(&F::op, 3, "op"),       field(&F::level, 4, "level"),
                   field(&F::table, 5, "table"), field(&F::fill, 6, "fill"),
                   field(&F::shift, 7, "shift"), field(&F::scale, 8, "scale")};
  }
};

// What preparation met that training had not.
struct UnseenReport {
  struct Column {
    std::string name = {};
    std::size_t rows = 0;
    std::string example = {};
    std::string near = {};  // levels of training that look like the example: `did you mean …?`
    bool other = false;     // they count as kOtherLevel and not as missing
  };
  std::vector<Column> columns;
  std::size_t dropped_values = 0;   // of sparse features beyond those of training
  std::size_t absent_features = 0;  // sparse features beyond those of the data: they are 0
};

struct Preparation {
  std::vector<SourceColumn> sources;
  std::vector<PreparedFeature> features;
  std::vector<std::string> unused;  // columns of the training file that the model does not read
  Unseen unseen = Unseen::missing;
  bool sparse = false;  // features are the columns of a CSR block
  std::int64_t sparse_columns = 0;
  std::string sparse_prefix;
  std::int64_t sparse_first = 1;

  template <class P = Preparation>
  static constexpr auto describe() {
    return Members{field(&P::sources, 1, "sources"),
                   field(&P::features, 2, "features"),
                   field(&P::unused, 3, "unused"),
                   field(&P::unseen, 4, "unseen"),
                   field(&P::sparse, 5, "sparse"),
                   field(&P::sparse_columns, 6, "sparse_columns"),
                   field(&P::sparse_prefix, 7, "sparse_prefix"),
                   field(&P::sparse_first, 8, "sparse_first")};
  }

  // The features of a table, lazily. `report` receives unseen categories when it is not null.
  Features apply(const Dataset& data, Extra extra, UnseenReport* report) const;

  // From now on missing cells stay missing, for learners that take them when they predict.
  void leave_missing();

  // Whether a feature is the place of its level in the order of an ordinal column.
  bool is_place(const PreparedFeature& feature) const;

  FeatureNames feature_names() const;

  // Every index and table inside its bounds; after loading.
  void check() const;
};

// What the plan needs to know beyond the columns themselves.
struct TargetNumbers {
  std::vector<double> values = {};       // one per row; empty: no target encoding possible
  const Survey* survey = nullptr;        // of the table, when one was taken
  std::span<const double> weights = {};  // of the rows; empty: all weigh 1
};

// Decides how `columns` of `data` become features for a learner. Error{usage} or Error{bad_data}
// names a column that the learner cannot take, and what to do.
Preparation plan_preparation(const Info& info, const Dataset& data,
                             const std::vector<std::string>& columns, const PrepareOptions& options,
                             const TargetNumbers& target, const Context& context);

}  // namespace gradus
