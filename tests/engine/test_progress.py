import io

import pytest

from analyzer.engine.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("enabled", [True, False])
def test_nothing_is_written_to_a_file(enabled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with progress_bar("simulating", 10, enabled) as progress:
        progress.advance(10)
    assert stream.getvalue() == ""


def test_nothing_is_written_if_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    with progress_bar("simulating", 10, enabled=False) as progress:
        progress.advance(10)
    assert stream.getvalue() == ""


def test_a_terminal_shows_the_label_as_it_is_and_the_share_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.delenv("NO_COLOR", raising=False)
    with progress_bar("games [a]", 10) as progress:
        for _ in range(10):
            progress.advance(1)
    assert "games [a]" in stream.getvalue()
    assert "100%" in stream.getvalue()
    with progress_bar("games", 10) as progress:
        progress.expect(40)
        progress.advance(10)
    assert "25%" in stream.getvalue()
    assert capsys.readouterr().out == ""


def test_an_error_inside_propagates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", Terminal())
    with pytest.raises(KeyboardInterrupt), progress_bar("games", 10):
        raise KeyboardInterrupt
