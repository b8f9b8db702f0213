// Lines, points and bars over two axes, as SVG.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gradus/core/text.hpp"
#include "gradus/report/draw.hpp"
#include "gradus/report/svg_writer.hpp"
#include "gradus/report/ticks.hpp"

namespace gradus::report {
namespace {

using Anchor = SvgWriter::Anchor;

constexpr double kWidth = 480;
constexpr double kHeight = 320;
constexpr double kSquare = 400;
constexpr double kLeft = 58;
constexpr double kBottom = 46;
constexpr double kTop = 14;
constexpr double kRight = 16;
constexpr double kLegendGap = 8;  // between the label of the axis and the legend
constexpr std::size_t kFewReferences = 3;
constexpr std::size_t kFewPoints = 15;   // of a line: each has a dot
constexpr std::size_t kManyPoints = 60;  // of all series: dots are small and faint

struct DataRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

Scale scale_of(const Axis& axis, DataRange range) {
  if (!(range.low <= range.high)) range = {0, 1};
  if (axis.logarithmic && axis.low.value_or(range.low) > 0) {
    return make_log_scale(axis.low.value_or(range.low), axis.high.value_or(range.high));
  }
  const bool exact = axis.low.has_value() && axis.high.has_value();
  return make_scale(axis.low.value_or(range.low), axis.high.value_or(range.high), 5,
                    exact ? Ends::exact : Ends::rounded);
}

class ChartDrawing {
 public:
  ChartDrawing(const Chart& chart, const std::string& id)
      : chart_(chart),
        legend_(names_to_show()),
        width_(chart.square ? kSquare : kWidth),
        bottom_((chart.square ? kSquare : kHeight) - kBottom),
        svg_(width_, bottom_ + kBottom + (legend_ > 0 ? kLegendGap + kLegendLine * legend_ : 0), id,
             chart.title, chart.description) {
    DataRange x;
    DataRange y;
    for (const Series& series : chart.series) {
      for (const double value : series.x) x.take(value);
      for (const auto* values : {&series.y, &series.low, &series.high}) {
        for (const double value : *values) y.take(value);
      }
      if (series.mark == Mark::bars) y.take(0);
      if (series.mark == Mark::points) points_ += series.x.size();
      if (series.mark == Mark::dashed) ++dashed_;
    }
    if (chart.square && !chart.x.low) {
      x.take(y.low), x.take(y.high);
      y = x;
    }
    x_ = scale_of(chart.x, x);
    y_ = scale_of(chart.y, y);
  }

  std::string draw() {
    axes();
    int colour = 0;
    double legend_y = bottom_ + kBottom + kLegendGap + 6;
    for (const Series& series : chart_.series) {
      const int own = series.mark == Mark::dashed ? 0 : colour++ % kColours;
      draw_series(series, own);
      row_ += series.x.size();
      if (legend_ == 0 || series.name.empty()) continue;
      legend_entry(series, own, legend_y);
      legend_y += kLegendLine;
    }
    return svg_.take();
  }

 private:
  double x_at(double value) const { return kLeft + x_.place(value) * (width_ - kLeft - kRight); }
  double y_at(double value) const { return bottom_ - y_.place(value) * (bottom_ - kTop); }

  // One series needs no legend: the title says what it is.
  int names_to_show() const {
    int named = 0;
    for (const Series& series : chart_.series) named += series.name.empty() ? 0 : 1;
    return named > 1 ? named : 0;
  }

  void axes() {
    for (std::size_t i = 0; i < y_.ticks.size(); ++i) {
      const double y = y_at(y_.ticks[i]);
      svg_.line(kLeft, y, width_ - kRight, y, "grid");
      svg_.text(kLeft - 8, y + 4, y_.labels[i], Anchor::end);
    }
    for (std::size_t i = 0; i < x_.ticks.size(); ++i) {
      const double x = x_at(x_.ticks[i]);
      svg_.line(x, bottom_, x, bottom_ + 4, "axis");
      svg_.text(x, bottom_ + 18, x_.labels[i], Anchor::middle);
    }
    svg_.line(kLeft, bottom_, width_ - kRight, bottom_, "axis");
    svg_.text((kLeft + width_ - kRight) / 2, bottom_ + 38, chart_.x.label, Anchor::middle);
    svg_.upright(14, (kTop + bottom_) / 2, chart_.y.label);
  }

  void draw_series(const Series& series, int colour) {
    switch (series.mark) {
      case Mark::line:
        draw_line(series, fmt::format("line s{}", colour));
        // Points that are few can be pointed at.
        if (series.x.size() <= kFewPoints) draw_points(series, colour);
        return;
      // Many references are the curves of single rows, behind their mean.
      case Mark::dashed: return draw_line(series, dashed_ > kFewReferences ? "ref faint" : "ref");
      case Mark::points: return draw_points(series, colour);
      case Mark::bars: return draw_bars(series, colour);
    }
  }

  // Runs of numbers; a number that is missing or infinite parts the line. `data-row` says which row
  // of the table behind the figure the first point is: so the page can tell what is pointed at.
  void draw_line(const Series& series, const std::string& style) {
    std::string points;
    std::size_t first = 0;
    const auto end_of_run = [&] {
      if (!points.empty()) {
        svg_.polyline(points, style, series.name, fmt::format("data-row=\"{}\"", row_ + first));
      }
      points.clear();
    };
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (std::isfinite(series.x[i]) && std::isfinite(series.y[i])) {
        if (points.empty()) first = i;
        points += svg_point(x_at(series.x[i]), y_at(series.y[i]));
      } else {
        end_of_run();
      }
    }
    end_of_run();
  }

  std::string tip(const Series& series, std::size_t i) const {
    return fmt::format("{}{}{} {}, {} {}", series.name, series.name.empty() ? "" : ": ",
                       chart_.x.label, readable(series.x[i], 4), chart_.y.label,
                       readable(series.y[i], 4));
  }

  void draw_points(const Series& series, int colour) {
    const bool many = series.mark == Mark::points && points_ > kManyPoints;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const double x = x_at(series.x[i]);
      if (!series.low.empty()) {
        svg_.line(x, y_at(series.low[i]), x, y_at(series.high[i]),
                  fmt::format("whisker s{}", colour));
      }
      svg_.circle(x, y_at(series.y[i]), many ? 2.5 : 4,
                  fmt::format("hit f{}{}", colour, many ? " faint" : ""), tip(series, i));
    }
  }

  void draw_bars(const Series& series, int colour) {
    double apart = x_.high - x_.low;
    for (std::size_t i = 1; i < series.x.size(); ++i) {
      apart = std::min(apart, series.x[i] - series.x[i - 1]);
    }
    const double width = std::max(1.0, (x_at(x_.low + apart) - x_at(x_.low)) * 0.92);
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      const double top = y_at(std::max(series.y[i], 0.0));
      const double height = std::abs(y_at(series.y[i]) - y_at(0));
      svg_.rectangle({x_at(series.x[i]) - width / 2, top, width, height},
                     fmt::format("class=\"hit f{}\"", colour), tip(series, i));
    }
  }

  void legend_entry(const Series& series, int colour, double y) {
    if (series.mark == Mark::points || series.mark == Mark::bars) {
      svg_.circle(kLeft + 10, y - 4, 4, fmt::format("f{}", colour));
    } else {
      const std::string style =
          series.mark == Mark::dashed ? "ref" : fmt::format("line s{}", colour);
      svg_.line(kLeft, y - 4, kLeft + 20, y - 4, style);
    }
    svg_.text(kLeft + 28, y, shortened(series.name, 54), Anchor::start, "");
  }

  const Chart& chart_;
  int legend_;
  double width_;
  double bottom_;
  SvgWriter svg_;
  std::size_t points_ = 0;
  std::size_t dashed_ = 0;
  std::size_t row_ = 0;  // of the table behind the figure: where the series begins
  Scale x_;
  Scale y_;
};

}  // namespace

std::string draw_chart(const Chart& chart, const std::string& id) {
  return ChartDrawing(chart, id).draw();
}

}  // namespace gradus::report
