"""The README's example says what it prints."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path


def test_the_example_prints_what_it_says():
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    promised = re.findall(r"^print\(.*\) +# (.*)$", code, re.MULTILINE)
    assert len(promised) == 5 and printed.getvalue().splitlines() == promised
