#include "gradus/evaluate/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/row_order.hpp"

namespace gradus {
namespace {

constexpr std::string_view kWords[] = {"kfold",         "stratified",  "group",     "time",
                                       "leave_one_out", "five_by_two", "bootstrap", "holdout"};

// Parts 0 .. k-1, each row in one of them.
using Parts = std::vector<std::vector<std::size_t>>;

void require_parts(std::size_t parts, std::size_t available, std::string_view what) {
  if (parts < 2) {
    throw Error(ErrorKind::usage, "--folds",
                fmt::format("at least 2 folds are needed (got {})", parts));
  }
  if (parts > available) {
    throw Error(
        ErrorKind::usage, "--folds",
        fmt::format("{} folds need at least as many {}, there are {}", parts, what, available),
        "use fewer folds");
  }
}

Parts dealt(std::span<const std::size_t> order, std::size_t parts) {
  Parts out(parts);
  for (std::size_t i = 0; i < order.size(); ++i) out[i % parts].push_back(order[i]);
  return out;
}

// Whole groups, the largest first, each to the part with the fewest rows so far.
Parts group_parts(const Dataset& data, const FoldOptions& options, Stream& stream) {
  std::vector<std::vector<std::size_t>> groups = rows_by_value(data, options.column, "--group");
  require_parts(options.folds, groups.size(), "groups");
  stream.shuffle(std::span(groups));
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  Parts out(options.folds);
  for (const auto& group : groups) {
    auto fewest = std::min_element(
        out.begin(), out.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    fewest->insert(fewest->end(), group.begin(), group.end());
  }
  return out;
}

std::vector<std::size_t> all_rows(std::size_t rows) {
  std::vector<std::size_t> out(rows);
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

Parts parts_of(const Dataset& data, const FoldOptions& options, std::size_t repeat) {
  Stream stream(options.seed, repeat);
  if (options.scheme == FoldScheme::group) return group_parts(data, options, stream);
  const std::size_t parts = options.scheme == FoldScheme::five_by_two ? 2 : options.folds;
  require_parts(parts, data.rows(), "rows");
  if (options.scheme == FoldScheme::stratified || !options.column.empty()) {
    return dealt(shuffled_by_class(data, options.column, stream), parts);
  }
  std::vector<std::size_t> order = all_rows(data.rows());
  stream.shuffle(std::span(order));
  return dealt(order, parts);
}

void add_parts(Folds& out, Parts parts) {
  for (auto& part : parts) {
    std::sort(part.begin(), part.end());
    out.folds.push_back({std::move(part)});
  }
}

// Part 1 teaches for part 2, parts 1 and 2 for part 3, ...; rows of the same time stay together.
void add_time_folds(Folds& out, const Dataset& data) {
  const std::vector<std::vector<std::size_t>> moments = rows_by_time(data, out.how.column);
  const std::size_t parts = out.how.folds + 1;
  require_parts(parts, moments.size(), "different times");
  std::vector<std::size_t> past;
  std::size_t next = 0;
  std::size_t seen = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<std::size_t> now;
    // The part ends where its share of the rows is reached, and leaves a moment for each one after.
    const std::size_t goal = (part + 1) * out.rows / parts;
    const std::size_t last = moments.size() - (parts - part - 1);
    while (next < last && (now.empty() || seen < goal)) {
      now.insert(now.end(), moments[next].begin(), moments[next].end());
      seen += moments[next].size();
      ++next;
    }
    std::sort(now.begin(), now.end());
    if (part > 0) out.folds.push_back({now, past});
    past.insert(past.end(), now.begin(), now.end());
    std::sort(past.begin(), past.end());
  }
}

void add_bootstrap_folds(Folds& out, std::size_t repeat) {
  for (std::size_t i = 0; i < out.how.folds; ++i) {
    Stream stream(out.how.seed, repeat * out.how.folds + i);
    Fold fold;
    for (std::size_t row = 0; row < out.rows; ++row) fold.train.push_back(stream.below(out.rows));
    std::sort(fold.train.begin(), fold.train.end());
    fold.test = other_rows(fold.train, out.rows);
    if (fold.test.empty()) {
      throw Error(ErrorKind::bad_data, "--scheme",
                  "a bootstrap sample drew every row, and none is left to examine",
                  "use more rows, or leave_one_out");
    }
    out.folds.push_back(std::move(fold));
  }
}

void add_holdout(Folds& out, const Dataset& data, std::size_t repeat) {
  PartitionOptions options{
      .shares = {1 - out.how.test, out.how.test},
      .scheme = out.how.column.empty() ? FoldScheme::kfold : FoldScheme::stratified,
      .column = out.how.column,
      .seed = out.how.seed + repeat};
  out.folds.push_back({partition_rows(data, options)[1]});
}

void check_options(const FoldOptions& options) {
  if (options.repeats < 1) {
    throw Error(ErrorKind::usage, "--repeat", "repeat must be at least 1 (got 0)");
  }
  if (options.repeats > 100000 || options.folds > 100000000) {
    throw Error(ErrorKind::limit, "--repeat", "so many folds would never end");
  }
  if (!(options.test > 0 && options.test < 1)) {
    throw Error(ErrorKind::usage, "--test",
                fmt::format("the share of test rows must lie between 0 and 1, both excluded "
                            "(got {})",
                            shortest(options.test)));
  }
  const bool ordered =
      options.scheme == FoldScheme::time || options.scheme == FoldScheme::leave_one_out;
  if (ordered && options.repeats > 1) {
    throw Error(ErrorKind::usage, "--repeat",
                fmt::format("folds by {} are always the same: repeating them adds nothing",
                            scheme_word(options.scheme)));
  }
}

}  // namespace

std::string_view scheme_word(FoldScheme scheme) { return kWords[static_cast<std::size_t>(scheme)]; }

std::vector<std::string> scheme_words() { return {std::begin(kWords), std::end(kWords)}; }

std::vector<std::size_t> Folds::train(std::size_t i) const {
  return folds[i].train.empty() ? other_rows(folds[i].test, rows) : folds[i].train;
}

bool Folds::each_row_once() const {
  std::vector<std::uint8_t> times(rows, 0);
  for (const Fold& fold : folds) {
    for (const std::size_t row : fold.test) {
      if (times[row]++ > 0) return false;
    }
  }
  return std::all_of(times.begin(), times.end(), [](std::uint8_t t) { return t == 1; });
}

FoldOptions inner_folds(const FoldOptions& outer, std::size_t parts) {
  FoldOptions out = outer;
  out.folds = parts;
  out.repeats = 1;
  const bool has_parts = out.scheme == FoldScheme::kfold || out.scheme == FoldScheme::stratified ||
                         out.scheme == FoldScheme::group || out.scheme == FoldScheme::time;
  if (!has_parts) out.scheme = out.column.empty() ? FoldScheme::kfold : FoldScheme::stratified;
  return out;
}

std::optional<SmallClass> class_below_folds(const Dataset& data, const FoldOptions& options) {
  if (options.scheme != FoldScheme::stratified) return std::nullopt;
  const Column classes = as_nominal(data.column(options.column));
  std::vector<std::size_t> counts(classes.levels().size(), 0);
  for (std::size_t row = 0; row < classes.size(); ++row) {
    if (!classes.missing(row)) ++counts[static_cast<std::size_t>(classes.code(row))];
  }
  std::optional<SmallClass> least;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const bool smaller = counts[k] > 0 && counts[k] < (least ? least->rows : options.folds);
    if (smaller) least = SmallClass{classes.levels()[k], counts[k]};
  }
  return least;
}

Folds make_folds(const Dataset& data, const FoldOptions& options) {
  check_options(options);
  if (data.rows() < 2) {
    throw Error(ErrorKind::bad_data, "",
                "there must be at least 2 rows to split (got " + std::to_string(data.rows()) + ")");
  }
  Folds out{options, data.rows(), data.fingerprint(), {}};
  if (options.scheme == FoldScheme::time) {
    add_time_folds(out, data);
    return out;
  }
  if (options.scheme == FoldScheme::leave_one_out) {
    for (std::size_t row = 0; row < out.rows; ++row) add_parts(out, {{row}});
    return out;
  }
  const std::size_t rounds =
      options.scheme == FoldScheme::five_by_two ? 5 * options.repeats : options.repeats;
  for (std::size_t repeat = 0; repeat < rounds; ++repeat) {
    if (options.scheme == FoldScheme::bootstrap) {
      add_bootstrap_folds(out, repeat);
    } else if (options.scheme == FoldScheme::holdout) {
      add_holdout(out, data, repeat);
    } else {
      add_parts(out, parts_of(data, options, repeat));
    }
  }
  return out;
}

}  // namespace gradus
