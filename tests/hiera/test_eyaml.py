"""Encrypted data: `eyaml_lookup_key`, with new keys."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="the extra `eyaml` is not installed")

from evaluator import Session
from tests.hiera.encrypted import Pair, encrypt, make_key_pair, write_keys

CONFIGURATION = """\
version: 5
hierarchy:
  - name: Secrets
    lookup_key: eyaml_lookup_key
    path: secrets.eyaml
    options: {OPTIONS}
"""
KEYS = "{pkcs7_private_key: private.pem, pkcs7_public_key: public.pem}"


@pytest.fixture(scope="module")
def pair() -> Pair:
    return make_key_pair()


class Data:
    """An environment with a level of encrypted data."""

    def __init__(self, folder: Path, pair: Pair) -> None:
        self.folder = folder
        self.certificate = pair[1]
        (folder / "data").mkdir()
        (folder / "manifests").mkdir()
        write_keys(folder, *pair)

    def encrypt(self, text: str, scheme: str = "PKCS7,") -> str:
        """Return a text in encrypted form."""
        return encrypt(self.certificate, text, scheme)

    def lookup(self, data: str, name: str, options: str = KEYS) -> str:
        """Return the value of a lookup in the data, or the error."""
        (self.folder / "hiera.yaml").write_text(CONFIGURATION.replace("{OPTIONS}", options))
        (self.folder / "data" / "secrets.eyaml").write_text(data)
        session = Session("puppet", environment=self.folder, facts={"x": "y"})
        outcome = session.run(f"lookup('{name}')")
        return outcome.text if outcome.error is None else f"{outcome.error.code}: {outcome.error}"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pair: Pair) -> Data:
    monkeypatch.chdir(tmp_path)
    return Data(tmp_path, pair)


def test_encrypted_strings_anywhere_in_a_value_are_decrypted(data: Data) -> None:
    secret = data.encrypt("geheim")
    assert data.lookup(f"a: {secret}", "a") == "'geheim'"
    assert data.lookup(f"a: 'x {secret} y {secret}'", "a") == "'x geheim y geheim'"
    assert data.lookup(f"a: [1, {{b: '{secret}'}}]", "a") == "[1, {'b' => 'geheim'}]"
    assert data.lookup("a: plain", "a") == "'plain'"


def test_an_encrypted_string_may_be_folded_and_have_no_scheme(data: Data) -> None:
    secret = data.encrypt("geheim", scheme="")
    folded = "\n".join(f"  {secret[i : i + 60]}" for i in range(0, len(secret), 60))
    assert data.lookup(f"a: >\n{folded}\n", "a") == "'geheim'"


def test_a_decrypted_string_is_interpolated(data: Data) -> None:
    assert data.lookup(f"a: {data.encrypt('two %{facts.x}')}", "a") == "'two y'"


def test_a_final_newline_of_a_decrypted_string_is_removed(data: Data) -> None:
    secret = data.encrypt("word\n")
    assert data.lookup(f"a: {secret}", "a") == "'word'"


@pytest.mark.parametrize(
    ("value", "options", "error"),
    [
        (
            "ENC[PKCS7,MIIB]",
            KEYS,
            "EYAML_DECRYPTION: {folder}/data/secrets.eyaml: a value cannot be decrypted",
        ),
        ("ENC[GPG,MIIB]", KEYS, "EYAML_SCHEME: {folder}/data/secrets.eyaml: data encrypted with GPG"),
        (
            "ENC[PKCS7,MIIB]",
            "{}",
            "EYAML_KEY: hiera-eyaml backend error decrypting ENC[PKCS7,MIIB] when looking up a in"
            " {folder}/data/secrets.eyaml. Error was pkcs7_public_key is not defined",
        ),
        ("ENC[PKCS7,MIIB]", KEYS.replace("private.pem", "no.pem"), "FILE_NOT_READ"),
        ("ENC[PKCS7,MIIB]", KEYS.replace("private.pem", "/etc/no.pem"), "NOT_PERMITTED"),
        ("ENC[PKCS7,MIIB]", KEYS.replace("private.pem", "hiera.yaml"), "EYAML_DECRYPTION"),
    ],
)
def test_a_value_that_cannot_be_decrypted_is_an_error_with_the_cause(
    data: Data, value: str, options: str, error: str
) -> None:
    assert data.lookup(f"a: {value}", "a", options).startswith(error.format(folder=data.folder))


def test_values_without_secrets_need_no_keys(data: Data) -> None:
    assert data.lookup("a: 1", "a", "{}") == "1"
    assert data.lookup("a: 1", "b").startswith("LOOKUP_NOT_FOUND")
