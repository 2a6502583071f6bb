"""Digests of passwords if Python has no OpenSSL."""

from __future__ import annotations

import hashlib

import pytest

from evaluator import Session
from evaluator.functions.stdlib.passwords import derive_key

CALL = "str2saltedpbkdf2('secret', 'some salt', 40001)"


@pytest.mark.parametrize("password", [b"", b"secret", b"x" * 128, b"y" * 200])
@pytest.mark.parametrize("size", [20, 64, 128])
def test_a_derived_key_is_the_one_of_openssl(password: bytes, size: int) -> None:
    expected = hashlib.pbkdf2_hmac("sha512", password, b"some salt", 7, size)
    assert derive_key(password, b"some salt", 7, size) == expected


def test_a_digest_is_the_same_without_openssl(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Session("puppet").run(CALL).value
    monkeypatch.delattr(hashlib, "pbkdf2_hmac")
    assert Session("puppet").run(CALL).value == expected
