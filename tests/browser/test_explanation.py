"""The page of an explanation in a real browser: it asks nobody for anything, its steps can be walked with
the mouse and the keys, and a name from the data cannot become markup."""

import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRADUS = ROOT / "build" / "release" / "gradus"


def explanation(folder, data, *flags):
    page = folder / "page.html"
    out = subprocess.run([GRADUS, "explain", "id3", "--data", data, *flags, "--format", "html"],
                         capture_output=True, check=True)
    page.write_bytes(out.stdout)
    return page


@pytest.fixture
def tennis(browser, tmp_path):
    page = browser.new_page()
    page.problems = []
    page.asked = []
    page.on("console", lambda message: page.problems.append(message.text))
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    file = explanation(tmp_path, ROOT / "data/play_tennis.csv", "--target", "playtennis", "--ignore", "Day")
    page.goto(file.as_uri())
    yield page
    assert page.problems == []
    assert page.asked == [file.as_uri()]
    page.close()


def visible_steps(page):
    return page.locator(".step:visible").count()


def test_all_steps_are_there_at_first(tennis):
    assert visible_steps(tennis) == tennis.locator(".step").count() > 5
    formulas = " ".join(tennis.locator("math").all_text_contents())
    assert "Gain" in formulas and "outlook" in formulas


def test_buttons_walk_through_the_steps(tennis):
    first, back, forward, everything = tennis.locator("nav button").all()
    everything.click()
    assert visible_steps(tennis) == 1
    assert tennis.locator("nav output").inner_text().startswith("Step 1 of")
    forward.click()
    forward.click()
    assert tennis.locator("nav output").inner_text().startswith("Step 3 of")
    back.click()
    assert tennis.locator("nav output").inner_text().startswith("Step 2 of")
    first.click()
    assert first.is_disabled()
    everything.click()
    assert visible_steps(tennis) > 5


def test_keys_walk_through_the_steps(tennis):
    tennis.keyboard.press("ArrowRight")
    tennis.keyboard.press("ArrowRight")
    assert tennis.locator("nav output").inner_text().startswith("Step 2 of")
    tennis.keyboard.press("End")
    assert visible_steps(tennis) == 1
    tennis.keyboard.press("Escape")
    assert visible_steps(tennis) > 5


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_it_without_scrolling_sideways(tennis, scheme):
    tennis.emulate_media(color_scheme=scheme)
    tennis.set_viewport_size({"width": 390, "height": 844})
    width = tennis.evaluate("document.documentElement.scrollWidth")
    assert width <= 390


def test_a_column_called_script_stays_text(browser, tmp_path):
    data = tmp_path / "hostile.csv"
    data.write_text("<script>alert(1)</script>,y\n<b>x</b>,no\nplain,yes\n", encoding="utf-8")
    page = browser.new_page()
    page.on("dialog", lambda dialog: pytest.fail("the script ran"))
    page.goto(explanation(tmp_path, data, "--target", "y").as_uri())
    assert "<script>alert(1)</script>" in page.inner_text("body")
    page.close()
