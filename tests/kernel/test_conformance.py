"""The test suite of the Jupyter project for kernels."""

from __future__ import annotations

from typing import ClassVar

import pytest
from jupyter_kernel_test import KernelTests
from kernels import start_kernel

# The attributes that a kernel defines for the suite, which skips the tests of empty ones.
SAMPLES = [name for name, value in vars(KernelTests).items() if isinstance(value, str | list | tuple)]


class TestPuppetKernel(KernelTests):
    kernel_name = "puppet"
    language_name = "puppet"
    file_extension = ".pp"

    @classmethod
    def setUpClass(cls) -> None:
        cls.km, cls.kc = start_kernel()

    code_hello_world = "notice('hello, world')"
    code_stderr = "err('careful')"
    completion_samples: ClassVar = [
        {"text": "$fact", "matches": {"$facts"}},
        {"text": "camelc", "matches": {"camelcase"}},
        {"text": "[1].reduc", "matches": {"reduce"}},
        {"text": "%cat", "matches": {"%catalog"}},
        {"text": "file { '/x': sho", "matches": {"show_diff"}},
    ]
    complete_code_samples: ClassVar = [
        "1 + 1",
        "class a { }",
        "$x = @(END)\n  text\n  | END\n",
        "%catalog",
        "'a ${b'",
    ]
    incomplete_code_samples: ClassVar = [
        "class a {",
        "$x = [1,",
        "'open",
        '"open ${x',
        "$x = @(END)\n  text\n",
        "1 +",
        "/* comment",
    ]
    invalid_code_samples: ClassVar = ["1 )", "class 1 { }", "$x = = 1"]
    code_page_something = "??join"
    code_generate_error = "fail('no')"
    code_execute_result: ClassVar = [
        {"code": "1 + 2", "result": "3"},
        {"code": "[1, 'a', undef]", "result": "[1, 'a', undef]"},
        {"code": "{ a => 1 }", "result": "{'a' => 1}"},
        {"code": "6 * 7", "result": "42"},
    ]
    code_display_data: ClassVar = [{"code": "%help", "mime": "text/html"}]
    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "1 ?*"
    code_inspect_sample = "notice"
    code_clear_output = "%clear"


@pytest.mark.parametrize("name", [name for name in SAMPLES if not name.startswith("_")])
def test_the_suite_has_samples_for_each_of_its_parts(name: str) -> None:
    assert getattr(TestPuppetKernel, name)
    assert len(SAMPLES) > 15


del KernelTests  # Otherwise pytest collects it here.
