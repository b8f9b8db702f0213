#include "gradus/blocks/branching/fill_table.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "gradus/core/error.hpp"
#include "gradus/parallel/parallel.hpp"

namespace gradus {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kRowsPerBlock = 16;

class Filler {
 public:
  Filler(const TrainTask& task, const Context& context) : task_(task), context_(context) {
    const std::size_t cols = task.features.cols();
    for (std::size_t j = 0; j < cols; ++j) columns_.push_back(task.features.column(j));
    for (std::size_t row = 0; row < task.rows(); ++row) weights_.push_back(task.weight(row));
    for (std::size_t j = 0; j < cols; ++j) {
      std::vector<std::size_t> known;
      for (std::size_t row = 0; row < task.rows(); ++row) {
        if (weights_[row] > 0 && !std::isnan(columns_[j][row])) known.push_back(row);
      }
      usual_.push_back(typical(j, known));
      double low = 0;
      double high = 0;
      for (std::size_t at = 0; at < known.size(); ++at) {
        const double x = columns_[j][known[at]];
        low = at == 0 ? x : std::min(low, x);
        high = at == 0 ? x : std::max(high, x);
      }
      range_.push_back(high - low);
    }
  }

  FilledTable run(TableFill how, std::size_t neighbours, const RankBins& bins) {
    FilledTable out{RankedTable(std::vector<RankedColumn>{}), weights_, usual_};
    std::vector<std::vector<double>> filled = columns_;
    std::vector<std::size_t> holed;
    for (std::size_t row = 0; row < task_.rows(); ++row) {
      if (weights_[row] > 0 && has_hole(row)) holed.push_back(row);
    }
    if (how == TableFill::remove) {
      for (const std::size_t row : holed) out.weights[row] = 0;
      out.removed = holed.size();
    } else {
      std::vector<std::vector<FilledCell>> cells(holed.size());
      parallel::for_each_block(context_, holed.size(), kRowsPerBlock, [&](parallel::Block block) {
        for (std::size_t at = block.begin; at < block.end; ++at) {
          cells[at] = fill_row(holed[at], {how, neighbours}, filled);
        }
      });
      for (std::vector<FilledCell>& of_row : cells) {
        std::move(of_row.begin(), of_row.end(), std::back_inserter(out.cells));
      }
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        for (const std::size_t row : holed) {
          out.filled += std::isnan(columns_[j][row]) && !std::isnan(filled[j][row]) ? 1 : 0;
        }
      }
    }
    out.table = RankedTable(filled, task_.signature, context_, bins);
    return out;
  }

 private:
  const FeatureNames& names() const { return task_.signature.features; }
  bool nominal(std::size_t j) const { return names().nominal(j); }

  bool has_hole(std::size_t row) const {
    return std::any_of(columns_.begin(), columns_.end(),
                       [&](const std::vector<double>& column) { return std::isnan(column[row]); });
  }

  // The mean or the most frequent level of some rows.
  double typical(std::size_t j, const std::vector<std::size_t>& rows) const {
    if (rows.empty()) return kUnknown;
    if (const std::size_t levels = names().level_count(j); levels > 0) {
      std::vector<double> counts(levels, 0.0);
      for (const std::size_t row : rows) {
        counts[static_cast<std::size_t>(columns_[j][row])] += weights_[row];
      }
      return static_cast<double>(std::max_element(counts.begin(), counts.end()) - counts.begin());
    }
    double weight = 0;
    double mean = 0;
    for (const std::size_t row : rows) {
      weight += weights_[row];
      mean += (columns_[j][row] - mean) * (weights_[row] / weight);
    }
    return mean;
  }

  double distance(std::size_t a, std::size_t b) const {
    double sum = 0;
    double counted = 0;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const double x = columns_[j][a];
      const double y = columns_[j][b];
      if (std::isnan(x) || std::isnan(y)) continue;
      ++counted;
      if (nominal(j)) {
        sum += x == y ? 0 : 1;
      } else if (range_[j] > 0) {
        sum += std::abs(x - y) / range_[j];
      }
    }
    return counted > 0 ? sum / counted : std::numeric_limits<double>::max();
  }

  struct How {
    TableFill fill;
    std::size_t neighbours;
    // Rows of one class are all alike: each of them counts.
    bool counts_neighbours(Task task) const {
      return fill == TableFill::nearest || task != Task::classify;
    }
  };

  // How far a row is whose cells may fill those of another; infinite: they may not.
  double apart(const How& how, std::size_t row, std::size_t other) const {
    if (how.fill == TableFill::nearest) return distance(row, other);
    if (task_.signature.task != Task::classify) {
      return std::abs(task_.numbers[row] / 2 - task_.numbers[other] / 2);
    }
    return task_.classes[row] == task_.classes[other] ? 0 : std::numeric_limits<double>::infinity();
  }

  struct Case {
    double distance;
    std::size_t row;
  };

  // The rows that may fill the cells of one, the nearest first; none: by what is usual.
  std::vector<Case> cases_for(const How& how, std::size_t row) const {
    std::vector<Case> cases;
    if (how.fill == TableFill::mean) return cases;
    for (std::size_t other = 0; other < task_.rows(); ++other) {
      if (!(weights_[other] > 0) || other == row) continue;
      const double away = apart(how, row, other);
      if (!std::isinf(away)) cases.push_back({away, other});
    }
    std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
      return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
    });
    return cases;
  }

  // Fills the holes of one row. Returns them when they are told.
  std::vector<FilledCell> fill_row(std::size_t row, const How& how,
                                   std::vector<std::vector<double>>& filled) {
    std::vector<FilledCell> told;
    const std::vector<Case> cases = cases_for(how, row);
    const bool counted = how.counts_neighbours(task_.signature.task);
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      if (!std::isnan(columns_[j][row])) continue;
      std::vector<std::size_t> nearest;
      double weight = 0;
      double last = 0;
      for (const Case& one : cases) {
        if (std::isnan(columns_[j][one.row])) continue;
        const bool enough = counted && weight >= static_cast<double>(how.neighbours);
        if (enough && one.distance > last) break;
        nearest.push_back(one.row);
        weight += weights_[one.row];
        last = one.distance;
      }
      filled[j][row] = nearest.empty() ? usual_[j] : typical(j, nearest);
      if (context_.trace != nullptr) told.push_back({row, j, filled[j][row], std::move(nearest)});
    }
    return told;
  }

  const TrainTask& task_;
  const Context& context_;
  std::vector<std::vector<double>> columns_;
  std::vector<double> weights_;
  std::vector<double> usual_;
  std::vector<double> range_;
};

}  // namespace

FilledTable fill_table(const TrainTask& task, TableFill how, std::size_t neighbours,
                       const Context& context, const RankBins& bins) {
  context.require_memory(task.rows() * task.features.cols() * 2 * sizeof(double),
                         "the table with its missing cells filled");
  FilledTable out = Filler(task, context).run(how, neighbours, bins);
  const bool any =
      std::any_of(out.weights.begin(), out.weights.end(), [](double weight) { return weight > 0; });
  if (!any) {
    throw Error(ErrorKind::bad_data, "--missing",
                "every row has a missing cell, so that missing=delete leaves none",
                "choose another way, for example --missing mean");
  }
  return out;
}

}  // namespace gradus
