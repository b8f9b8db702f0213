"""Reports in a real browser: nothing is fetched, nothing is complained about, figures can be read without
seeing them, tables sort, files are saved, and names from the data stay names."""

import pathlib
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRADUS = ROOT / "build" / "release" / "gradus"

RUNS = {
    "train": ["train", "naive_bayes", "--data", ROOT / "data/iris.csv", "--target", "species"],
    "cv": ["cv", "linear_regression", "--data", ROOT / "data/wine.csv", "--target", "alcohol", "--folds", "5"],
    "compare": ["compare", "naive_bayes", "baseline", "naive_bayes:var_smoothing=0.1", "--data",
                ROOT / "data/breast_cancer.csv", "--target", "diagnosis", "--folds", "5"],
    "check": ["check", ROOT / "data/iris.csv", "--target", "species"],
    "tree": ["train", "decision_tree", "--data", ROOT / "data/iris.csv", "--target", "species"],
    "tune": ["tune", "ridge", "--data", ROOT / "data/wine.csv", "--target", "alcohol", "--folds", "4", "--trials", "12",
             "--nested", "2"],
    "curve": ["curve", "complexity", "decision_tree", "--data", ROOT / "data/iris.csv", "--target", "species",
              "--folds", "4", "--points", "6"],
    "select": ["select", "linear_regression", "--data", ROOT / "data/wine.csv", "--target", "alcohol", "--folds", "3",
               "--keep", "3"],
    "nested": ["cv", "ridge", "--data", ROOT / "data/wine.csv", "--target", "alcohol", "--folds", "3",
               "--search", "alpha=0.001..10:log", "--search-trials", "4", "--inner", "2"],
    "clusters": ["train", "kmeans", "--data", ROOT / "data/iris.csv", "--ignore", "species", "--n_clusters", "3"],
    "classes": ["train", "logistic_regression", "--data", ROOT / "data/penguins.csv", "--target", "species"],
    "boosting": ["train", "gradient_boosting", "--data", ROOT / "data/breast_cancer.csv", "--target", "diagnosis",
                 "--early_stopping", "true", "--n_estimators", "60"],
    "explain": ["explain", "id3", "--data", ROOT / "data/play_tennis.csv", "--target", "playtennis", "--ignore", "Day"],
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    for name, words in RUNS.items():
        subprocess.run([GRADUS, *words, "--report", folder / f"{name}.html"], capture_output=True, check=True)
    for name, words in judgements(folder).items():
        subprocess.run([GRADUS, *words, "--report", folder / f"{name}.html"], capture_output=True, check=True)
    return folder


def judgements(folder):
    """Pages about a model that exists: judged with costs and a threshold, and calibrated."""
    data, learn, held, model = ROOT / "data/breast_cancer.csv", *(folder / f for f in ("l.csv", "h.csv", "m.gradus"))
    for words in [["split", data, "--shares", "0.6,0.4", "--output", f"{learn},{held}", "--stratify", "diagnosis"],
                  ["train", "naive_bayes", "--data", learn, "--target", "diagnosis", "--model", model]]:
        subprocess.run([GRADUS, *words], capture_output=True, check=True)
    return {
        "evaluate": ["evaluate", model, "--data", held, "--costs", "malignant:benign=20", "--threshold",
                     "malignant=0.2"],
        "calibrate": ["calibrate", model, "--data", held, "--model", folder / "c.gradus"],
    }


@pytest.fixture
def opened(browser, files):
    page = browser.new_page()
    page.problems, page.asked = [], []
    page.on("console", lambda message: page.problems.append(message.text))
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))

    def show(name):
        page.goto((files / f"{name}.html").as_uri())
        return page

    yield show
    assert page.problems == []
    assert all(url.startswith(("file:", "blob:")) for url in page.asked)
    page.close()


ALL = [*RUNS, "evaluate", "calibrate"]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_it_without_scrolling_sideways(opened, name, scheme):
    page = opened(name)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened, name, scheme):
    page = opened(name)
    page.emulate_media(color_scheme=scheme)
    found = Axe().run(page).response["violations"]
    grave = [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found if one["impact"] in ("serious", "critical")]
    assert grave == []


def test_a_tree_is_drawn_and_scrolls_inside_of_its_figure(opened):
    page = opened("tree")
    figure = page.locator("figure.wide")
    assert figure.count() == 1
    assert figure.locator("svg text", has_text="petal").count() >= 2
    assert figure.locator("svg rect.leaf").count() >= 5
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("name", ["train", "cv", "compare", "tune", "classes", "boosting", "evaluate", "calibrate"])
def test_every_figure_has_a_title_a_description_and_its_numbers(opened, name):
    page = opened(name)
    figures = page.locator("figure")
    assert figures.count() >= 2
    for figure in figures.all():
        svg = figure.locator("svg")
        for word in svg.get_attribute("aria-labelledby").split():
            assert len(page.locator(f"#{word}").text_content()) > 5
        assert figure.locator("details table tbody tr").count() > 0
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_figures_are_saved_as_svg_and_csv(opened):
    figure = opened("compare").locator("figure").first
    for button, ending, start in [("Save SVG", ".svg", "<svg"), ("Save CSV", ".csv", "name,")]:
        with figure.page.expect_download() as waiting:
            figure.get_by_role("button", name=button).click()
        assert waiting.value.suggested_filename.endswith(ending)
        assert pathlib.Path(waiting.value.path()).read_text(encoding="utf-8").startswith(start)


def test_the_numbers_of_what_is_pointed_at_are_told(opened):
    page = opened("train")
    tip = page.locator(".tip")
    confusion = page.locator("figure").first
    confusion.locator("rect.hit").first.hover()
    assert "actual setosa, predicted setosa: 50" in tip.inner_text()
    page.mouse.move(2, 2)
    assert tip.is_hidden()


def test_the_nearest_point_of_a_line_is_marked_and_told(opened):
    page = opened("classes")
    figure = page.locator("figure", has_text="Partial dependence").first
    figure.scroll_into_view_if_needed()
    place = figure.locator("polyline.line").first.evaluate("""line => {
      const point = line.points[10].matrixTransform(line.getScreenCTM());
      return [point.x, point.y, Number(line.dataset.row) + 10];
    }""")
    page.mouse.move(place[0] + 2, place[1] + 1)
    assert figure.locator("circle.spot").count() == 1
    row = figure.locator("details tbody tr").nth(place[2]).locator("th, td").all_text_contents()
    told = page.locator(".tip").inner_text()
    assert told.startswith(row[0] + ": ") and f"{float(row[1]):.4g}" in told and f"{float(row[2]):.4g}" in told
    page.mouse.move(2, 2)
    assert page.locator(".tip").is_hidden() and figure.locator("circle.spot").count() == 0


def test_what_is_told_stays_right_when_the_table_is_sorted(opened):
    page = opened("curve")
    figure = page.locator("figure").first
    figure.locator("summary").click()
    figure.locator("th button").last.click()
    line = figure.locator("polyline.line").first
    row = int(line.get_attribute("data-row"))
    x, y = [float(part) for part in line.get_attribute("points").split()[0].split(",")]
    assert row == 0 and x > 0 and y > 0
    figure.locator("circle.hit").first.hover()
    assert "on new rows" in page.locator(".tip").inner_text()


def test_a_figure_is_enlarged_zoomed_and_put_back(opened):
    page = opened("compare")
    figure = page.locator("figure").first
    whole = figure.locator("svg").get_attribute("viewBox")
    figure.get_by_role("button", name="Enlarge").click()
    dialog = page.get_by_role("dialog")
    svg = dialog.locator("svg")
    assert svg.bounding_box()["width"] > 600
    page.keyboard.press("+")
    zoomed = [float(part) for part in svg.get_attribute("viewBox").split()]
    assert zoomed[2] < float(whole.split()[2])
    page.keyboard.press("ArrowRight")
    assert float(svg.get_attribute("viewBox").split()[0]) > zoomed[0]
    page.keyboard.press("0")
    assert [float(part) for part in svg.get_attribute("viewBox").split()] == [float(part) for part in whole.split()]
    page.keyboard.press("Escape")
    assert dialog.count() == 0 and figure.locator("svg").count() == 1


def test_a_saved_figure_keeps_its_tips(opened):
    figure = opened("compare").locator("figure").first
    with figure.page.expect_download() as waiting:
        figure.get_by_role("button", name="Save SVG").click()
    text = pathlib.Path(waiting.value.path()).read_text(encoding="utf-8")
    assert "<title>naive_bayes: " in text and "data-tip" not in text


def test_the_model_and_its_answers_are_shown(opened):
    words = opened("classes").inner_text("main")
    assert "Coefficients of Adelie" in words and "Partial dependence on" in words
    assert "baseline" in words and "Every parameter of logistic_regression has its default" in words
    words = opened("clusters").inner_text("main")
    assert "the columns that tell the clusters apart best" in words and "mean of each column by cluster" in words
    assert "settings chosen inside" in opened("nested").inner_text("main")


def test_a_training_shows_what_to_expect_on_new_rows(opened):
    page = opened("boosting")
    words = page.inner_text("main")
    assert "On new rows" in words and "what to try" in words.lower()
    for title, lines in [("Learning curve", 2), ("Loss by round", 2)]:
        assert page.locator("figure", has_text=title).first.locator("polyline.line").count() == lines


def test_thresholds_costs_and_calibration_are_drawn(opened):
    page = opened("evaluate")
    threshold = page.locator("figure", has_text="What a higher or lower threshold does")
    assert threshold.locator("polyline.line").count() == 3
    assert "in use, 0.2" in threshold.locator("svg").text_content()
    assert page.locator("figure", has_text="Cost by threshold").count() == 1
    assert page.locator("figure", has_text="How many times as often").count() == 1
    page = opened("calibrate")
    figure = page.locator("figure", has_text="Calibration before and after")
    assert figure.locator("circle.hit").count() > 6
    figure.locator("circle.hit").last.hover()
    assert "after" in page.locator(".tip").inner_text()


def test_tables_sort_by_their_headers(opened):
    page = opened("cv")
    table = page.locator("table.sorts").last
    head = table.locator("th button").first
    head.focus()
    page.keyboard.press("Enter")
    names = table.locator("tbody th").all_text_contents()
    assert names == sorted(names)
    page.keyboard.press("Enter")
    assert table.locator("tbody th").all_text_contents() == names[::-1]


def test_headings_do_not_skip_and_text_has_contrast(opened):
    page = opened("compare")
    levels = page.evaluate("[...document.querySelectorAll('h1,h2,h3')].map(h => +h.tagName[1])")
    assert levels[0] == 1 and all(b - a <= 1 for a, b in zip(levels, levels[1:]))
    assert page.locator("html").get_attribute("lang") == "en"


def test_names_from_the_data_stay_names(browser, tmp_path):
    hostile = "<script>alert(1)</script>"
    data = tmp_path / "hostile.csv"
    rows = "\n".join(f"{i % 4},{'<b>x</b>' if i % 2 else 'y&amp;'}" for i in range(20))
    data.write_text(f"{hostile},\"<img src=x onerror=alert(2)>\"\n{rows}\n", encoding="utf-8")
    page = browser.new_page()
    page.on("dialog", lambda dialog: pytest.fail("the script ran"))
    for verb in ["train", "cv"]:
        file = tmp_path / f"{verb}.html"
        subprocess.run([GRADUS, verb, "naive_bayes", "--data", data, "--target", "<img src=x onerror=alert(2)>",
                        *(["--folds", "2"] if verb == "cv" else []), "--report", file],
                       capture_output=True, check=True)
        page.goto(file.as_uri())
        assert hostile in page.inner_text("body")
        assert page.locator("img").count() == 0
        assert page.locator("main b").count() == 0
    page.close()
