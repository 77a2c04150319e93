"""The examples in README run, and so does the example of the package."""

import doctest
from pathlib import Path

import foretell

README = Path(__file__).parent.parent / "README.md"


def test_the_examples_in_the_readme_run() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


def test_the_example_of_the_package_runs() -> None:
    result = doctest.testmod(foretell)
    assert result.attempted > 3
    assert result.failed == 0
