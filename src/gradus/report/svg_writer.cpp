#include "gradus/report/svg_writer.hpp"

#include <fmt/format.h>

#include "gradus/report/html_writer.hpp"
#include "gradus/report/text_layout.hpp"

namespace gradus::report {
namespace {

// The palette is the page's where there is a page, and its own where the picture stands alone.
constexpr std::string_view kPictureStyle = R"(<style>
text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;fill:var(--ink,#1c2128);pointer-events:none}
.soft{fill:var(--soft,#59636e)}
.strong{font-weight:600}
.axis{stroke:var(--soft,#59636e);stroke-width:1}
.grid{stroke:var(--line,#e4e4df);stroke-width:1}
.s0{stroke:var(--s0,#1a6e5c)}.s1{stroke:var(--s1,#b3541e)}.s2{stroke:var(--s2,#3b5bb5)}
.s3{stroke:var(--s3,#8a3d8f)}.s4{stroke:var(--s4,#8a6d00)}.s5{stroke:var(--s5,#0e7c93)}
.f0{fill:var(--s0,#1a6e5c)}.f1{fill:var(--s1,#b3541e)}.f2{fill:var(--s2,#3b5bb5)}
.f3{fill:var(--s3,#8a3d8f)}.f4{fill:var(--s4,#8a6d00)}.f5{fill:var(--s5,#0e7c93)}
.line{fill:none;stroke-width:2;stroke-linejoin:round}
.ref{fill:none;stroke:var(--soft,#59636e);stroke-width:1.2;stroke-dasharray:5 4}
.whisker{stroke-width:2}
.faint{opacity:.45}
.spot{stroke:var(--ink,#1c2128);stroke-width:1.5;fill:var(--card,#fff);pointer-events:none}
.hit:hover{stroke:var(--ink,#1c2128);stroke-width:2}
.light{fill:#fff}
.halo{fill:var(--soft,#59636e);paint-order:stroke;stroke:var(--card,#fff);stroke-width:5px}
.node{fill:var(--card,#fff);stroke:var(--soft,#59636e);stroke-width:1.2}
.leaf{fill:var(--tint,#e9f3f0);stroke:var(--accent,#1a6e5c);stroke-width:1.2}
.bold{stroke:var(--ink,#1c2128);stroke-width:4;stroke-linecap:round}
</style>
)";

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  if (text == "-0.00") text = "0.00";
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string svg_point(double x, double y) { return number(x) + "," + number(y) + " "; }

std::string shortened(std::string_view text, std::size_t columns) {
  std::string clean = harmless(text);
  if (display_width(clean) <= columns) return clean;
  std::string out;
  for (std::size_t i = 0; i < clean.size();) {
    std::size_t next = i + 1;
    while (next < clean.size() && (static_cast<unsigned char>(clean[next]) & 0xC0U) == 0x80U)
      ++next;
    if (display_width(out) + 2 > columns) break;
    out += clean.substr(i, next - i);
    i = next;
  }
  return out + "…";
}

SvgWriter::SvgWriter(double width, double height, const std::string& id, std::string_view title,
                     std::string_view description) {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" aria-labelledby=\"{2}-t {2}-d\">\n",
      number(width), number(height), id);
  out_ += fmt::format("<title id=\"{}-t\">{}</title>\n", id, html_escaped(title));
  out_ += fmt::format("<desc id=\"{}-d\">{}</desc>\n", id, html_escaped(description));
  out_ += kPictureStyle;
}

void SvgWriter::shape(const std::string& markup, std::string_view tip) {
  // `markup` is an element without its end.
  if (tip.empty()) {
    out_ += markup + "/>\n";
    return;
  }
  const std::string name = markup.substr(1, markup.find(' ') - 1);
  out_ += markup + "><title>" + html_escaped(tip) + "</title></" + name + ">\n";
}

void SvgWriter::line(double x1, double y1, double x2, double y2, std::string_view style) {
  shape(fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"", number(x1),
                    number(y1), number(x2), number(y2), style),
        {});
}

void SvgWriter::rectangle(const Box& box, std::string_view attributes, std::string_view tip) {
  shape(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}", number(box.x),
                    number(box.y), number(box.width), number(box.height), attributes),
        tip);
}

void SvgWriter::circle(double x, double y, double radius, std::string_view style,
                       std::string_view tip) {
  shape(fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"{}\"", number(x), number(y),
                    number(radius), style),
        tip);
}

void SvgWriter::polyline(const std::string& points, std::string_view style, std::string_view tip,
                         std::string_view attributes) {
  shape(fmt::format("<polyline points=\"{}\" class=\"{}\"{}{}", points, style,
                    attributes.empty() ? "" : " ", attributes),
        tip);
}

void SvgWriter::text(double x, double y, std::string_view words, Anchor anchor,
                     std::string_view style) {
  constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
  out_ +=
      fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n", number(x),
                  number(y), kAnchors[static_cast<int>(anchor)], style, html_escaped(words));
}

void SvgWriter::upright(double x, double y, std::string_view words) {
  out_ += fmt::format(
      "<text transform=\"translate({} {}) rotate(-90)\" text-anchor=\"middle\" "
      "class=\"soft\">{}</text>\n",
      number(x), number(y), html_escaped(words));
}

std::string SvgWriter::take() { return std::move(out_) + "</svg>\n"; }

}  // namespace gradus::report
