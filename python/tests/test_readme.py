"""The README's examples say what they print."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path


def test_the_examples_print_what_they_say():
    text = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    promises = []
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, {})
        promised = re.findall(r"^print\(.*\)\s+# (.*)$", code, re.MULTILINE)
        assert printed.getvalue().splitlines() == promised
        promises.append(len(promised))
    assert promises == [7, 1]
