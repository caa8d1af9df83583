"""The browser of the tests of reports serves these tests, too."""

from tests.report.conftest import browser, open_report

__all__ = ["browser", "open_report"]
