"""Draws the pictures of the README: pages of the built command, photographed in headless Chromium.

Run it after a change of the pages' looks: .venv/bin/python tools/pictures.py
"""

import pathlib
import shutil
import subprocess
import tempfile

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
WIDTH = 1000


def gradus(*arguments):
    command = ROOT / "build" / "release" / "gradus"
    return subprocess.run([command, *arguments], cwd=ROOT, check=True, capture_output=True).stdout


def write_pages(folder):
    steps = folder / "steps.html"
    steps.write_bytes(
        gradus("explain", "id3", "--data", "data/play_tennis.csv", "--target", "playtennis",
               "--ignore", "Day", "--format", "html"))
    report = folder / "report.html"
    gradus("train", "decision_tree", "--data", "data/iris.csv", "--target", "species",
           "--max_depth", "3", "--quiet", "--report", str(report))
    return steps, report


def around(card):
    """The first card found, and a margin."""
    box = card.first.bounding_box()
    return {"x": 0, "y": box["y"] - 12, "width": WIDTH, "height": box["height"] + 24}


def photograph(browser, page_file, name, card):
    for scheme in ("light", "dark"):
        page = browser.new_page(viewport={"width": WIDTH, "height": 1200}, color_scheme=scheme)
        page.goto(page_file.as_uri())
        page.screenshot(path=PICTURES / f"{name}-{scheme}.png", full_page=True, clip=around(card(page)))
        page.close()


def main():
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        steps, report = write_pages(pathlib.Path(folder))
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"])
        photograph(browser, steps, "steps", lambda page: page.locator("#step-1"))
        photograph(browser, report, "tree", lambda page: page.locator("figure", has_text="The tree"))
        browser.close()


if __name__ == "__main__":
    main()
