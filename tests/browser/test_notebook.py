"""What a notebook shows of model.explain(): readable on a light and on a dark page, and no markup from the data."""

import pytest

import gradus

# A page as notebooks build it: the theme sets colours, and an output is put into a div as it is.
PAGE = """<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>notebook</title>
<style>
  body {{ font-family: sans-serif; }}
  @media (prefers-color-scheme: dark) {{ body {{ background: #111; color: #ddd; }} }}
  @media (prefers-color-scheme: light) {{ body {{ background: #fff; color: #222; }} }}
</style><body><div class="output">{}</div>"""

COLOURS = """element => {
  const style = getComputedStyle(element);
  return [style.color, style.backgroundColor, getComputedStyle(document.body).color];
}"""


@pytest.fixture(scope="module")
def steps():
    weather = [["sunny", "<b>weak</b>"], ["sunny", "strong"], ["rain", "<b>weak</b>"], ["rain", "strong"]]
    return gradus.Id3Classifier().fit(weather, ["yes", "yes", "yes", "no"]).explain()


@pytest.fixture(params=["light", "dark"])
def notebook(request, browser, steps):
    page = browser.new_page(color_scheme=request.param)
    problems = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.set_content(PAGE.format(steps._repr_html_()))
    yield page
    page.close()
    assert problems == []


def test_every_step_is_shown(notebook, steps):
    assert notebook.locator(".gradus-steps li:visible").count() == len(steps) > 2
    assert "Entropy(S)" in notebook.inner_text(".gradus-steps")


def test_text_has_the_colours_of_the_page(notebook):
    for element in notebook.locator(".gradus-steps, .gradus-steps li, .gradus-steps pre, .gradus-steps p").all():
        colour, background, of_the_page = element.evaluate(COLOURS)
        assert colour == of_the_page and background == "rgba(0, 0, 0, 0)"


def test_a_formula_is_not_cut_off(notebook):
    notebook.set_viewport_size({"width": 390, "height": 844})
    assert notebook.evaluate("document.documentElement.scrollWidth") <= 390
    for formula in notebook.locator(".gradus-steps pre").all():
        assert formula.evaluate("e => e.scrollWidth <= e.clientWidth || getComputedStyle(e).overflowX == 'auto'")


def test_names_from_the_data_stay_text(notebook):
    assert notebook.locator(".gradus-steps li b b").count() == 0
    assert "<b>weak</b>" in notebook.inner_text(".gradus-steps")
