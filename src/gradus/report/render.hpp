// A document as text for a terminal, and as one self-contained HTML file.
#pragma once

#include <cstddef>
#include <string>

#include "gradus/report/document.hpp"

namespace gradus::report {

enum class Colour { no, yes };

struct TextStyle {
  std::size_t width = 100;  // columns to fill
  Colour colour = Colour::no;
};

std::string render_text(const Document& document, const TextStyle& style = {});

// No file beside it, no network, works without script; light and dark, on a phone and on paper.
// The same document gives the same bytes.
std::string render_html(const Document& document);

}  // namespace gradus::report
