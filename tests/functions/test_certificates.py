"""`validate_x509_rsa_key_pair` reports the errors of OpenSSL, as in the released Puppet.

These tests need the package `cryptography`.
"""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

import pytest

from evaluator import Session

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

pytest.importorskip("cryptography", reason="the extra `eyaml` is not installed")

NO_CERTIFICATE = "Not a valid x509 certificate: PEM_read_bio_X509"
NO_KEY = "Not a valid RSA key: Neither PUB key nor PRIV key: unsupported"


def _make_key() -> RSAPrivateKey:
    from cryptography.hazmat.primitives.asymmetric import rsa

    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def _write_key(key: RSAPrivateKey) -> str:
    from cryptography.hazmat.primitives import serialization

    form = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return key.private_bytes(serialization.Encoding.PEM, *form).decode()


def _sign(key: RSAPrivateKey) -> str:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization

    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    now = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    builder = builder.not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1))
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()


KEY = _make_key()
CERTIFICATE, PRIVATE = _sign(KEY), _write_key(KEY)


@pytest.mark.parametrize(
    ("certificate", "key", "message"),
    [
        (CERTIFICATE, PRIVATE, None),
        (f"text\n{CERTIFICATE}", f"text\n{PRIVATE}", None),
        (CERTIFICATE, _write_key(_make_key()), "Certificate signature does not match supplied key"),
        (CERTIFICATE, "x", NO_KEY),
        (CERTIFICATE, CERTIFICATE, NO_KEY),
        (PRIVATE, PRIVATE, f"{NO_CERTIFICATE}: no start line"),
        (f"  {CERTIFICATE}", PRIVATE, f"{NO_CERTIFICATE}: no start line"),
        (CERTIFICATE[:200], PRIVATE, f"{NO_CERTIFICATE}: bad end line"),
        (CERTIFICATE.replace("\nM", "\n!", 1), PRIVATE, f"{NO_CERTIFICATE}: bad base64 decode"),
        (
            "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----",
            PRIVATE,
            f"{NO_CERTIFICATE}: ASN1 lib",
        ),
        ("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----", PRIVATE, NO_CERTIFICATE),
    ],
)
def test_an_invalid_pair_of_certificate_and_key_is_reported(
    certificate: str, key: str, message: str | None
) -> None:
    outcome = Session("puppet").run(f"validate_x509_rsa_key_pair('{certificate}', '{key}')")
    if message is None:
        assert outcome.error is None
    else:
        assert f"{message} (line: 1, column: 1)" in str(outcome.error)
