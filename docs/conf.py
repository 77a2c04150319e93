"""How Sphinx makes a site of these pages (`make docs`).  Nothing in the site comes from another host.

A warning is an error there: a link to a page, a heading or a name that does not exist stops the build.
"""

from pathlib import Path

import jupytext
from sphinx.application import Sphinx

import foretell

project = "Foretell"
author = "The Foretell developers"
copyright = "the Foretell developers"
version = release = foretell.__version__

extensions = [
    "myst_parser",  # the pages are Markdown
    "sphinx.ext.autodoc",  # the reference is made from docstrings
    "sphinx.ext.githubpages",  # hosts that would leave out folders such as _static are told not to
]
exclude_patterns = ["pictures"]

# A heading's link is its text in lower case with hyphens, as wherever else these files are read.
myst_heading_anchors = 4
highlight_language = "text"

html_theme = "furo"
html_title = "Foretell"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#1f5c99",
        "color-brand-content": "#1f5c99",
    },
    "dark_css_variables": {
        "color-brand-primary": "#8fc1ef",
        "color-brand-content": "#8fc1ef",
    },
}

default_role = "code"  # docstrings write code in single backticks
autodoc_typehints = "description"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "undoc-members": True}
python_use_unqualified_type_names = True


def prepared(app: Sphinx, name: str, text: list[str]) -> None:
    """A page as the site needs it: files above docs/ are pages too, and a tutorial links its notebook."""
    folder, _, last = name.rpartition("/")
    if folder == "site":
        file = Path(app.srcdir).parent / f"{last.upper()}.md"
        text[0] = file.read_text(encoding="utf-8").replace("](docs/", "](../")
        text[0] = text[0].replace("](LICENSE", "](../../LICENSE")
    if folder == "tutorials":
        heading, rest = text[0].split("\n", 1)
        link = f'<a href="{last}.ipynb" download>This page as a notebook</a>'
        text[0] = f"{heading}\n\n{link}\n{rest}"
    text[0] = text[0].replace("](../CONTRIBUTING.md", "](site/contributing.md")


def write_notebooks(app: Sphinx, error: Exception | None) -> None:
    """Each tutorial as a notebook beside its page: blocks of Python are its cells."""
    if error is None:
        for page in sorted(Path(app.srcdir, "tutorials").glob("*.md")):
            book = jupytext.read(page, fmt="md")
            book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
            jupytext.write(book, Path(app.outdir, "tutorials", f"{page.stem}.ipynb"), fmt="ipynb")


def setup(app: Sphinx) -> None:
    app.connect("source-read", prepared)
    app.connect("build-finished", write_notebooks)
