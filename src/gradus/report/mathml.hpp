// Formulas of explanations as MathML, from the plain text that learners write:
// `−(5/14)·log₂(5/14)`, `σ² = Σ(x − μ)²/n`, `p(k) = e^δₖ / Σₗ e^δₗ`.
//
// Every word of the formula becomes an element of its own, so that lines break at spaces as text
// does. Raised and lowered letters become scripts, `a/b` without spaces a fraction, `√(…)` a root;
// what is nothing of that stays as it stands, so no text is lost.
#pragma once

#include <string_view>

#include "gradus/report/html_writer.hpp"

namespace gradus::report {

void write_math(HtmlWriter& html, std::string_view line);

}  // namespace gradus::report
