import pytest

from analyzer import errors


@pytest.mark.parametrize("name", [name for name in errors.__all__ if name != "AnalyzerError"])
def test_every_kind_is_an_analyzer_error(name: str) -> None:
    assert issubclass(getattr(errors, name), errors.AnalyzerError)


def test_message_is_one_line_whatever_the_value_holds() -> None:
    message = str(errors.UsageError("line 'a\nb\r\nc' is unknown; choose aces"))
    assert message == "line 'a b c' is unknown; choose aces"


def test_message_steers_no_terminal() -> None:
    assert str(errors.UsageError("name '\x1b[31mé\x07' is wrong")) == "name '?[31mé?' is wrong"
