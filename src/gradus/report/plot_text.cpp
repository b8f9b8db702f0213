#include "gradus/report/plot_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/report/text_layout.hpp"
#include "gradus/report/ticks.hpp"

namespace gradus::report {
namespace {

constexpr std::size_t kRows = 12;
constexpr std::size_t kWidest = 72;
constexpr std::string_view kMarks[] = {"●", "○", "▲", "△", "■", "□"};
constexpr std::string_view kReference = "┄";

struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Scale scale_for(const Axis& axis, Span ends) {
  if (!(ends.low <= ends.high)) ends = {0, 1};
  const double low = axis.low.value_or(ends.low);
  const double high = axis.high.value_or(ends.high);
  if (axis.logarithmic && low > 0) return make_log_scale(low, high);
  return make_scale(low, high, 4, Ends::rounded);
}

class TextPlot {
 public:
  TextPlot(const Chart& chart, std::size_t width) : chart_(chart) {
    Span x;
    Span y;
    for (const Series& series : chart.series) {
      for (const double value : series.x) x.take(value);
      for (const double value : series.y) y.take(value);
    }
    x_ = scale_for(chart.x, x);
    y_ = scale_for(chart.y, y);
    for (const std::string& label : y_.labels) margin_ = std::max(margin_, display_width(label));
    const std::size_t room = width > margin_ + 12 ? width - margin_ - 3 : 10;
    columns_ = std::min(room, kWidest);
    cells_.assign(kRows, std::vector<std::string>(columns_, " "));
  }

  std::vector<std::string> draw() {
    // References first: they never cover a mark.
    for (const Series& series : chart_.series) {
      if (series.mark == Mark::dashed) draw_series(series, kReference);
    }
    std::size_t own = 0;
    std::vector<std::string> legend;
    for (const Series& series : chart_.series) {
      const bool reference = series.mark == Mark::dashed;
      const std::string_view mark = reference ? kReference : kMarks[own++ % std::size(kMarks)];
      if (!reference) draw_series(series, mark);
      if (!series.name.empty()) legend.push_back(fmt::format("{} {}", mark, harmless(series.name)));
    }
    std::vector<std::string> out = framed();
    out.push_back(std::string(margin_ + 3, ' ') + harmless(chart_.x.label) +
                  (chart_.x.logarithmic ? " (logarithmic)" : ""));
    std::string line;
    for (const std::string& entry : legend) line += (line.empty() ? "" : "   ") + entry;
    if (!line.empty()) out.push_back(std::string(margin_ + 3, ' ') + line);
    return out;
  }

 private:
  std::size_t column(double x) const { return at(x_.place(x), columns_); }
  std::size_t row(double y) const { return kRows - 1 - at(y_.place(y), kRows); }

  static std::size_t at(double place, std::size_t cells) {
    const double last = static_cast<double>(cells - 1);
    return static_cast<std::size_t>(std::lround(std::clamp(place, 0.0, 1.0) * last));
  }

  void draw_series(const Series& series, std::string_view mark) {
    const bool joined = series.mark == Mark::line || series.mark == Mark::dashed;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!std::isfinite(series.y[i])) continue;
      if (joined && i > 0 && std::isfinite(series.y[i - 1])) join(series, i, mark);
    }
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (std::isfinite(series.y[i])) cells_[row(series.y[i])][column(series.x[i])] = mark;
    }
  }

  // Dots in the columns between two points; they never cover a mark.
  void join(const Series& series, std::size_t i, std::string_view mark) {
    const std::size_t from = column(series.x[i - 1]);
    const std::size_t to = column(series.x[i]);
    for (std::size_t c = from + 1; c < to; ++c) {
      const double share = static_cast<double>(c - from) / static_cast<double>(to - from);
      const double y = series.y[i - 1] + share * (series.y[i] - series.y[i - 1]);
      std::string& cell = cells_[row(y)][c];
      if (cell == " " || cell == kReference) cell = series.mark == Mark::dashed ? mark : "·";
    }
  }

  std::vector<std::string> framed() const {
    std::vector<std::string> labels(kRows);
    for (std::size_t i = 0; i < y_.ticks.size(); ++i) labels[row(y_.ticks[i])] = y_.labels[i];
    std::vector<std::string> out;
    for (std::size_t r = 0; r < kRows; ++r) {
      std::string line = pad_left(labels[r], margin_) + (labels[r].empty() ? " │ " : " ┤ ");
      for (const std::string& cell : cells_[r]) line += cell;
      line.erase(line.find_last_not_of(' ') + 1);
      out.push_back(std::move(line));
    }
    std::string axis = std::string(margin_, ' ') + " └─";
    for (std::size_t c = 0; c < columns_; ++c) axis += "─";
    out.push_back(axis);
    out.push_back(std::string(margin_ + 3, ' ') + x_labels());
    return out;
  }

  // Labels under their columns, as far as they do not touch.
  std::string x_labels() const {
    std::string line;
    for (std::size_t i = 0; i < x_.ticks.size(); ++i) {
      const std::size_t middle = column(x_.ticks[i]);
      const std::size_t half = x_.labels[i].size() / 2;
      const std::size_t begin = middle > half ? middle - half : 0;
      if (begin < line.size() + (line.empty() ? 0 : 2)) continue;
      line += std::string(begin - line.size(), ' ') + x_.labels[i];
    }
    return line;
  }

  const Chart& chart_;
  Scale x_;
  Scale y_;
  std::size_t margin_ = 1;
  std::size_t columns_ = 0;
  std::vector<std::vector<std::string>> cells_;
};

}  // namespace

std::vector<std::string> plot_lines(const Chart& chart, std::size_t width) {
  return TextPlot(chart, width).draw();
}

}  // namespace gradus::report
