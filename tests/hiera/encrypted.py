"""Keys and encrypted values for data of eyaml; needs `cryptography`."""

from __future__ import annotations

import base64
import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import pkcs7
from cryptography.x509.oid import NameOID

Pair = tuple[rsa.RSAPrivateKey, x509.Certificate]


def make_key_pair() -> Pair:
    """Return a new private key and its certificate."""
    key = rsa.generate_private_key(65537, 2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "eyaml")])
    start = datetime.datetime(2024, 1, 1)
    certificate = x509.CertificateBuilder(
        name, name, key.public_key(), 1, start, start + datetime.timedelta(36500)
    ).sign(key, hashes.SHA256())
    return key, certificate


def write_keys(folder: Path, key: rsa.RSAPrivateKey, certificate: x509.Certificate) -> None:
    """Write `private.pem` and `public.pem`."""
    folder.mkdir(exist_ok=True)
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    (folder / "private.pem").write_bytes(key.private_bytes(pem, form, plain))
    (folder / "public.pem").write_bytes(certificate.public_bytes(pem))


def encrypt(certificate: x509.Certificate, text: str, scheme: str = "PKCS7,") -> str:
    """Return a text in the encrypted form of eyaml."""
    builder = pkcs7.PKCS7EnvelopeBuilder().set_data(text.encode()).add_recipient(certificate)
    encrypted = builder.encrypt(serialization.Encoding.DER, [pkcs7.PKCS7Options.Binary])
    return f"ENC[{scheme}{base64.b64encode(encrypted).decode()}]"
