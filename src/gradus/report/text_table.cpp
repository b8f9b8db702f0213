#include "gradus/report/text_table.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "gradus/core/text.hpp"
#include "gradus/report/text_layout.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kBetween = 2;       // spaces between columns
constexpr std::size_t kFullBar = 16;      // columns of a full bar
constexpr std::size_t kLeastLast = 24;    // the last column is at least this wide
constexpr std::size_t kLeastOther = 30;   // a column before it is not made narrower than this
constexpr std::size_t kComfortable = 45;  // room for the last column that asks for no more

using Cells = std::vector<std::string>;

std::string bar_text(double share) {
  const auto full = static_cast<std::size_t>(std::lround(share * kFullBar));
  std::string text;
  for (std::size_t i = 0; i < full; ++i) text += "▇";
  return text;
}

std::string spark_text(const std::vector<double>& heights) {
  constexpr std::string_view kSteps[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (const double height : heights) {
    text += kSteps[static_cast<std::size_t>(std::lround(std::clamp(height, 0.0, 1.0) * 7))];
  }
  return text;
}

class TableLayout {
 public:
  TableLayout(const Table& table, std::size_t width) : table_(table), width_(width) {
    if (!table.header.empty()) widen(shown(table.header));
    for (std::size_t i = 0; i < table.rows.size(); ++i) widen(row_cells(i));
    share_out();
  }

  std::vector<TableLine> lines() const {
    std::vector<TableLine> out;
    if (!table_.header.empty()) add(shown(table_.header), TableLine::Part::header, out);
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      const auto& marked = table_.marked;
      const bool starred = std::find(marked.begin(), marked.end(), i) != marked.end();
      add(row_cells(i), starred ? TableLine::Part::marked : TableLine::Part::body, out);
    }
    return out;
  }

 private:
  bool has_pictures() const { return !table_.bars.empty() || !table_.sparks.empty(); }

  bool right(std::size_t column) const {
    return column < table_.align.size() && table_.align[column] == Align::right;
  }

  // A line break inside a cell would break the row, so it is shown like other controls.
  static Cells shown(const Cells& cells) {
    Cells out;
    for (const std::string& cell : cells) out.push_back(escape_controls(cell));
    return out;
  }

  Cells row_cells(std::size_t row) const {
    Cells cells = shown(table_.rows[row]);
    if (!table_.depth.empty()) cells[0].insert(0, table_.depth[row] * kBetween, ' ');
    if (!table_.sparks.empty()) {
      cells.push_back(spark_text(table_.sparks[row]));
    } else if (!table_.bars.empty()) {
      cells.push_back(bar_text(table_.bars[row]));
    }
    return cells;
  }

  void widen(const Cells& cells) {
    widths_.resize(std::max(widths_.size(), cells.size()), 0);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      widths_[i] = std::max(widths_[i], display_width(cells[i]));
    }
  }

  std::size_t before_last() const {
    std::size_t used = 0;
    for (std::size_t i = 0; i + 1 < widths_.size(); ++i) used += widths_[i] + kBetween;
    return used;
  }

  // A word stays whole, and so does an indent.
  std::size_t least(std::size_t column) const {
    if (column == 0 && !table_.depth.empty()) return widths_[0];
    std::size_t longest = kLeastOther;
    for (const Cells& row : table_.rows) {
      if (column >= row.size()) continue;
      for (const std::string& word : split_text(escape_controls(row[column]), ' ')) {
        longest = std::max(longest, display_width(word));
      }
    }
    return longest;
  }

  // Only a last column of words gives way; in front of it, the widest column of words.
  void share_out() {
    if (widths_.empty() || right(widths_.size() - 1) || has_pictures()) return;
    std::size_t& last = widths_.back();
    const std::size_t wanted = std::min(last, kComfortable);
    const std::size_t used = before_last();
    if (used + wanted > width_) {
      std::size_t widest = widths_.size() - 1;
      for (std::size_t i = widest; i-- > 0;) {
        const bool wider = widest + 1 == widths_.size() || widths_[i] >= widths_[widest];
        if (!right(i) && wider) widest = i;
      }
      narrow(widest, used + wanted - width_);
    }
    const std::size_t taken = before_last();
    last = width_ > taken + kLeastLast ? width_ - taken : kLeastLast;
  }

  void narrow(std::size_t column, std::size_t excess) {
    std::size_t& width = widths_[column];
    if (column + 1 == widths_.size() || width <= kLeastOther) return;
    width = std::min(width, std::max(least(column), width > excess ? width - excess : 0));
  }

  void add(const Cells& cells, TableLine::Part part, std::vector<TableLine>& out) const {
    std::vector<Cells> columns;
    std::size_t height = 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      columns.push_back(display_width(cells[i]) > widths_[i] ? wrapped(cells[i], widths_[i])
                                                             : Cells{cells[i]});
      height = std::max(height, columns.back().size());
    }
    for (std::size_t k = 0; k < height; ++k) {
      std::string text;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& cell = k < columns[i].size() ? columns[i][k] : std::string();
        text += i == 0 ? "" : std::string(kBetween, ' ');
        text += right(i) ? pad_left(cell, widths_[i]) : pad_right(cell, widths_[i]);
      }
      text.erase(text.find_last_not_of(' ') + 1);
      if (part == TableLine::Part::marked && k == 0) text += "  *";
      out.push_back({std::move(text), part});
    }
  }

  const Table& table_;
  std::size_t width_;
  std::vector<std::size_t> widths_;
};

}  // namespace

std::vector<TableLine> table_lines(const Table& table, std::size_t width) {
  return TableLayout(table, width).lines();
}

}  // namespace gradus::report
