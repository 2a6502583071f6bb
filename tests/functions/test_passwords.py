"""Digests of passwords where Python has no OpenSSL."""

from __future__ import annotations

import hashlib

import pytest

from evaluator import Session
from evaluator.functions.stdlib.passwords import derive_key

CALL = "str2saltedpbkdf2('secret', 'some salt', 40001)"


@pytest.mark.parametrize("password", [b"", b"secret", b"x" * 128, b"y" * 200])
@pytest.mark.parametrize("size", [20, 64, 128])
def test_it_is_what_openssl_makes(password: bytes, size: int) -> None:
    due = hashlib.pbkdf2_hmac("sha512", password, b"some salt", 7, size)
    assert derive_key(password, b"some salt", 7, size) == due


def test_a_python_without_openssl_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    due = Session("puppet").run(CALL).value
    monkeypatch.delattr(hashlib, "pbkdf2_hmac")
    assert Session("puppet").run(CALL).value == due
