"""Secrets in data, encrypted as `ENC[PKCS7,…]`.

The decryption is that of the package `cryptography`, which comes with the extra `eyaml`.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Any

from evaluator.hiera.data_cache import cache_file
from evaluator.issues import error
from evaluator.program import sandbox
from evaluator.program.scope import Scope
from evaluator.values import hash_of, items

_NAME = "eyaml_lookup_key"
_SECRET = re.compile(r"ENC\[(?:(\w+),)?([A-Za-z0-9+/=\s]++)\]")
_KEYS = ("pkcs7_private_key", "pkcs7_public_key")


def decrypt_value(
    scope: Scope, value: Any, options: dict[str, Any], interpolate: Callable[[Any], Any]
) -> Any:
    """A value of the data with its secrets in the clear, then with what it names filled in.

    options  those of the level: the file of the data as `path`, and the files of the two keys
    Raises PuppetError for a secret that cannot be decrypted, and Failure for a key that must not be read.
    """
    if type(value) is str:
        if "ENC[" in value:
            value = _SECRET.sub(lambda secret: _decrypt(scope, secret, options), value).removesuffix("\n")
        return interpolate(value)
    if type(value) is list:
        return [decrypt_value(scope, item, options, interpolate) for item in value]
    if type(value) is dict:
        return hash_of(
            tuple(decrypt_value(scope, part, options, interpolate) for part in pair) for pair in items(value)
        )
    return value


def _decrypt(scope: Scope, secret: re.Match[str], options: dict[str, Any]) -> str:
    """The text that was encrypted. Raises PuppetError."""
    scheme = secret[1] or "PKCS7"
    if scheme.upper() != "PKCS7":
        raise error("EYAML_SCHEME", path=options["path"], scheme=scheme)
    private, public = (_read_key(scope, options, name) for name in _KEYS)
    try:
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
        from cryptography.hazmat.primitives.serialization import load_pem_private_key, pkcs7
        from cryptography.x509 import load_pem_x509_certificate
    except ImportError:
        raise error("EXTRA_NEEDED", function=_NAME, package="cryptography", extra="eyaml") from None
    try:
        envelope = base64.b64decode("".join(secret[2].split()), validate=True)
        certificate, key = load_pem_x509_certificate(public), load_pem_private_key(private, None)
        if not isinstance(key, RSAPrivateKey):
            raise ValueError("the private key is no RSA key")
        return pkcs7.pkcs7_decrypt_der(envelope, certificate, key, []).decode("utf-8")
    except (ValueError, TypeError, binascii.Error):
        raise error("EYAML_DECRYPTION", path=options["path"]) from None


def _read_key(scope: Scope, options: dict[str, Any], name: str) -> bytes:
    """The content of a file with a key, which an option names. Raises PuppetError and Failure."""
    path = options.get(name)
    if type(path) is not str:
        raise error("EYAML_KEY", name=name)
    content: bytes = cache_file(scope.runtime, _NAME, path, lambda: sandbox.read_bytes(scope, _NAME, path))
    return content
