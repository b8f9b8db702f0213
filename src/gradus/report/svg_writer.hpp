// Inside report/: the pieces of a drawing. Every text goes through the same door as in HTML;
// numbers have two decimals, so that the same figure gives the same bytes.
#pragma once

#include <string>
#include <string_view>

namespace gradus::report {

class SvgWriter {
 public:
  SvgWriter(double width, double height, const std::string& id, std::string_view title,
            std::string_view description);

  void line(double x1, double y1, double x2, double y2, std::string_view style);
  struct Box {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
  };
  // `attributes` as they stand in the markup: never from outside.
  void rectangle(const Box& box, std::string_view attributes, std::string_view tip = {});
  void circle(double x, double y, double radius, std::string_view style, std::string_view tip = {});
  // `points` is "x,y x,y ..."; `attributes` as they stand in the markup: never from outside.
  void polyline(const std::string& points, std::string_view style, std::string_view tip = {},
                std::string_view attributes = {});
  enum class Anchor { start, middle, end };
  void text(double x, double y, std::string_view words, Anchor anchor,
            std::string_view style = "soft");
  // Turned by 90 degrees, around its middle.
  void upright(double x, double y, std::string_view words);
  std::string take();

 private:
  void shape(const std::string& markup, std::string_view tip);
  std::string out_;
};

// "12.34,56.78 "
std::string svg_point(double x, double y);

// At most about `columns` letters wide; longer names end in an ellipsis.
std::string shortened(std::string_view text, std::size_t columns);

}  // namespace gradus::report
