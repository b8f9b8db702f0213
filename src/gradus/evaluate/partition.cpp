// Rows in given shares: training, validation and test.
//
// The end of part i is round(n * (share_1 + ... + share_i)), so that sizes are right to one row.
// For stratified parts the rows stand class by class in shuffled order, and each takes the part
// whose share of the rows so far is most behind: both the parts and the classes within them come
// out even.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gradus/core/error.hpp"
#include "gradus/core/text.hpp"
#include "gradus/evaluate/folds.hpp"
#include "gradus/evaluate/row_order.hpp"

namespace gradus {
namespace {

// Thirds are written 0.33,0.33,0.33.
constexpr double kRoundedShares = 0.015;

std::vector<double> checked_shares(const PartitionOptions& options) {
  double total = 0;
  bool sound = options.shares.size() >= 2;
  for (const double share : options.shares) {
    sound = sound && share > 0 && std::isfinite(share);
    total += share;
  }
  if (!sound) {
    throw Error(ErrorKind::usage, "--shares", "there must be at least two shares, each above 0",
                "60 % for training, 20 % for validation and for test: 0.6,0.2,0.2");
  }
  const bool fractions = std::all_of(options.shares.begin(), options.shares.end(),
                                     [](double share) { return share < 1; });
  if (fractions && std::abs(total - 1) > kRoundedShares) {
    throw Error(ErrorKind::usage, "--shares",
                fmt::format("the shares add up to {}, not to 1", readable(total)),
                "write parts of the whole (0.6,0.2,0.2), percentages or ratios (3,1,1)");
  }
  std::vector<double> out;
  for (const double share : options.shares) out.push_back(share / total);
  return out;
}

// How many rows short of its share a part is when `dealt` rows are out.
double behind(const std::vector<std::size_t>& part, double share, std::size_t dealt) {
  return share * static_cast<double>(dealt) - static_cast<double>(part.size());
}

void deal_evenly(std::vector<std::vector<std::size_t>>& parts, const std::vector<double>& shares,
                 std::span<const std::size_t> order) {
  std::size_t dealt = 0;
  for (const std::size_t row : order) {
    ++dealt;
    std::size_t most = 0;
    for (std::size_t part = 1; part < parts.size(); ++part) {
      // A hair of slack keeps rounding from deciding between equals.
      if (behind(parts[part], shares[part], dealt) >
          behind(parts[most], shares[most], dealt) + 1e-9) {
        most = part;
      }
    }
    parts[most].push_back(row);
  }
}

// Groups, or moments of time, go whole; in their order when `in_order`.
enum class Order { kept, free };

void deal_groups(std::vector<std::vector<std::size_t>>& parts, const std::vector<double>& shares,
                 const std::vector<std::vector<std::size_t>>& groups, Order order) {
  const double total = std::accumulate(
      groups.begin(), groups.end(), 0.0,
      [](double sum, const auto& group) { return sum + static_cast<double>(group.size()); });
  std::size_t now = 0;
  double end = shares[0] * total;
  double seen = 0;
  for (const auto& group : groups) {
    if (order == Order::kept) {
      // A moment belongs to the part that its middle row falls into.
      while (now + 1 < parts.size() && seen + static_cast<double>(group.size()) / 2 > end) {
        end += shares[++now] * total;
      }
      seen += static_cast<double>(group.size());
    } else {
      now = 0;
      for (std::size_t part = 1; part < parts.size(); ++part) {
        const double left = shares[part] * total - static_cast<double>(parts[part].size());
        const double most = shares[now] * total - static_cast<double>(parts[now].size());
        if (left > most) now = part;
      }
    }
    parts[now].insert(parts[now].end(), group.begin(), group.end());
  }
}

}  // namespace

std::vector<std::vector<std::size_t>> partition_rows(const Dataset& data,
                                                     const PartitionOptions& options) {
  const std::vector<double> shares = checked_shares(options);
  std::vector<std::vector<std::size_t>> parts(shares.size());
  Stream stream(options.seed);
  if (options.scheme == FoldScheme::time) {
    deal_groups(parts, shares, rows_by_time(data, options.column), Order::kept);
  } else if (options.scheme == FoldScheme::group) {
    auto groups = rows_by_value(data, options.column, "--group");
    stream.shuffle(std::span(groups));
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    deal_groups(parts, shares, groups, Order::free);
  } else if (options.scheme == FoldScheme::stratified) {
    deal_evenly(parts, shares, shuffled_by_class(data, options.column, stream));
  } else if (options.scheme == FoldScheme::kfold) {
    std::vector<std::size_t> order(data.rows());
    std::iota(order.begin(), order.end(), std::size_t{0});
    stream.shuffle(std::span(order));
    deal_evenly(parts, shares, order);
  } else {
    throw Error(ErrorKind::usage, "--scheme",
                "rows are shared out plainly, by class, group or time");
  }
  for (std::size_t part = 0; part < parts.size(); ++part) {
    std::sort(parts[part].begin(), parts[part].end());
    if (!parts[part].empty()) continue;
    throw Error(ErrorKind::bad_data, "",
                fmt::format("part {} of {} would be empty: {} cannot be shared out like this",
                            part + 1, parts.size(), counted(data.rows(), "row")),
                "use more rows or other shares");
  }
  return parts;
}

}  // namespace gradus
