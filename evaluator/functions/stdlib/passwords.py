"""stdlib: digests of passwords in the formats of Unix and macOS; certificates and their keys."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
from collections.abc import Callable
from typing import Any

from evaluator.calling.registry import function
from evaluator.issues import Failure, require, require_found
from evaluator.program import effects
from evaluator.values import Sensitive, Value, encode_utf8, format_value
from evaluator.values.ruby_values import (
    get_ruby_class,
    inspect_for_message,
    require_argument,
)
from lexer_parser.record import Record

# The 64 characters of `crypt`, each for six bits.
ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
MD5_ROUNDS, SHA_ROUNDS = 1000, 5000
# The C library rejects longer passwords, because hashing takes quadratic time. Instead of a digest it returns a string
# that is the digest of no password.
LONGEST_PASSWORD, NO_DIGEST = 511, "*0"
PBKDF2_SIZE = 128  # bytes of a digest in the format of macOS
_DIGEST_SIZE = 64  # of SHA-512, in bytes


class CryptScheme(Record):
    """A scheme of the C library's `crypt`.

    Attributes:
        prefix: The beginning of its results.
        digest: The name of the digest in `hashlib`.
        order: Groups of indices of bytes, in the order in which the result contains them.
        salt_size: The number of characters of a salt that are used.
    """

    prefix: str
    digest: str
    order: list[tuple[int, ...]]
    salt_size: int


def _rotate_indices(third: int, step: int) -> list[tuple[int, ...]]:
    """Return groups of three indices, one from each third of the bytes.

    Args:
        third: The number of groups.
        step: The number of places by which the order rotates from one group to the next.
    """
    groups: list[tuple[int, ...]] = []
    for index in range(third):
        group = (index, third + index, 2 * third + index)
        turn = (step * index) % 3
        groups.append((*group[turn:], *group[:turn]))
    return groups


_MD5_ORDER = [(0, 6, 12), (1, 7, 13), (2, 8, 14), (3, 9, 15), (4, 10, 5), (11,)]
MD5 = CryptScheme("$1$", "md5", _MD5_ORDER, salt_size=8)
SHA256 = CryptScheme("$5$", "sha256", [*_rotate_indices(10, step=2), (31, 30)], salt_size=16)
SHA512 = CryptScheme("$6$", "sha512", [*_rotate_indices(21, step=1), (63,)], salt_size=16)
SCHEMES = {"md5": MD5, "sha-256": SHA256, "sha-512": SHA512}


def _encode_crypt(data: bytes, order: list[tuple[int, ...]]) -> str:
    """Return the bytes, group by group, as characters of six bits, the lowest bits first."""
    chars = []
    for group in order:
        number = 0
        for index in group:
            number = number << 8 | data[index]
        for _ in range(len(group) + 1):
            chars.append(ALPHABET[number & 63])
            number >>= 6
    return "".join(chars)


def _repeat_to_size(data: bytes, size: int) -> bytes:
    return (data * (size // len(data) + 1))[:size] if data else b""


def _join_by_bits(number: int, *, one: bytes, zero: bytes) -> bytes:
    """Return a part for each binary digit of a positive number, the lowest first."""
    return b"".join(one if digit == "1" else zero for digit in reversed(f"{number:b}"))


def _make_hasher(name: str) -> Callable[[bytes], bytes]:
    """Return the function that computes a digest."""
    return lambda data: hashlib.new(name, data, usedforsecurity=False).digest()


def encrypt_md5(password: bytes, salt: bytes) -> bytes:
    """Return the digest of the MD5 scheme."""
    digest = _make_hasher("md5")
    start = password + b"$1$" + salt + _repeat_to_size(digest(password + salt + password), len(password))
    start += _join_by_bits(len(password), one=b"\0", zero=password[:1])
    return _repeat_digest(digest, digest(start), password, salt, MD5_ROUNDS)


def _repeat_digest(
    digest: Callable[[bytes], bytes], result: bytes, password: bytes, salt: bytes, rounds: int
) -> bytes:
    """Return the digest after rounds that mix the password and the salt into it."""
    for turn in range(rounds):
        first, last = (password, result) if turn & 1 else (result, password)
        result = digest(first + (salt if turn % 3 else b"") + (password if turn % 7 else b"") + last)
    return result


def encrypt_sha(password: bytes, salt: bytes, name: str) -> bytes:
    """Return the digest of the SHA schemes."""
    digest = _make_hasher(name)
    other = digest(password + salt + password)
    start = password + salt + _repeat_to_size(other, len(password))
    result = digest(start + _join_by_bits(len(password), one=other, zero=password))
    mixed_password = _repeat_to_size(digest(password * len(password)), len(password))
    mixed_salt = _repeat_to_size(digest(salt * (16 + result[0])), len(salt))
    return _repeat_digest(digest, result, mixed_password, mixed_salt, SHA_ROUNDS)


@function(
    "pw_hash(Any p0, Any p1, Any p2)",
    usage=("pw_hash(String password, Enum['MD5', 'SHA-256', 'SHA-512'] type, String salt)",),
)
def pw_hash(*args: Value) -> str | None:
    """Return the digest of a password in the format of `/etc/shadow`.

    Types: MD5, SHA-256, SHA-512.

    > pw_hash('pass', 'MD5', 'salt') =~ /^\\$1\\$salt\\$/
    true
    """
    password, kind, salt = (arg.value if type(arg) is Sensitive else arg for arg in args)
    require_argument(password is None or type(password) is str, "pw_hash", "first argument", "a string")
    require_argument(type(kind) is str, "pw_hash", "second argument", "a string")
    scheme = require_found(SCHEMES.get(kind.lower()), "UNKNOWN_HASH_TYPE", name=kind)
    require_argument(type(salt) is str, "pw_hash", "third argument", "a string")
    require(salt, "SALT_EMPTY")
    require(re.fullmatch("[a-zA-Z0-9./]+", salt), "SALT_CHARACTERS")
    if not password:
        return None
    salt = salt[: scheme.salt_size]
    password_bytes, salt_bytes = encode_utf8(password), encode_utf8(salt)
    if len(password_bytes) > LONGEST_PASSWORD:
        return NO_DIGEST
    if scheme is MD5:
        data = encrypt_md5(password_bytes, salt_bytes)
    else:
        data = encrypt_sha(password_bytes, salt_bytes, scheme.digest)
    return f"{scheme.prefix}{salt}${_encode_crypt(data, scheme.order)}"


def derive_key(password: bytes, salt: bytes, iterations: int, size: int) -> bytes:
    """Return `size` bytes of PBKDF2 with HMAC and SHA-512 (RFC 8018, RFC 2104)."""
    keyed = hmac.new(password, digestmod=hashlib.sha512)

    def compute_hmac(data: bytes) -> bytes:
        code = keyed.copy()
        code.update(data)
        return code.digest()

    derived = b""
    while len(derived) < size:
        block_number = len(derived) // _DIGEST_SIZE + 1
        last = compute_hmac(salt + block_number.to_bytes(4, "big"))
        total = int.from_bytes(last, "big")
        for _ in range(iterations - 1):
            last = compute_hmac(last)
            total ^= int.from_bytes(last, "big")
        derived += total.to_bytes(_DIGEST_SIZE, "big")
    return derived[:size]


@function(
    "str2saltedpbkdf2(Any p0, Any p1, Any p2)",
    count="PBKDF2_ARGUMENT_COUNT",
    usage=("str2saltedpbkdf2(String password, String[8] salt, Integer[40001, 69999] iterations)",),
)
def str2saltedpbkdf2(password: Value, salt: Value, iterations: Value) -> dict[str, Value]:
    """Return the PBKDF2 digest (SHA-512) of a password in the format of macOS.

    > str2saltedpbkdf2('secret', 'some salt', 50000)['salt_hex']
    '736f6d652073616c74'
    """
    for place, value in (("first", password), ("second", salt)):
        require_argument(type(value) is str, "str2saltedpbkdf2", f"{place} argument", "a string")
    require_argument(
        len(encode_utf8(salt)) >= 8, "str2saltedpbkdf2", "second argument", "at least 8 bytes long"
    )
    require_argument(type(iterations) is int, "str2saltedpbkdf2", "third argument", "an integer")
    require_argument(
        40_000 < iterations < 70_000, "str2saltedpbkdf2", "third argument", "between 40,000 and 70,000"
    )
    if hasattr(hashlib, "pbkdf2_hmac"):
        digest = hashlib.pbkdf2_hmac(
            "sha512", encode_utf8(password), encode_utf8(salt), iterations, PBKDF2_SIZE
        )
    else:  # Python was built without OpenSSL
        digest = derive_key(encode_utf8(password), encode_utf8(salt), iterations, PBKDF2_SIZE)
    return {"password_hex": digest.hex(), "salt_hex": encode_utf8(salt).hex(), "iterations": iterations}


@function(
    "str2saltedsha512(Any p0)", count="SHA512_ARGUMENT_COUNT", usage=("str2saltedsha512(String password)",)
)
def str2saltedsha512(password: Value) -> str:
    """Return a SHA-512 digest of a password, with a random salt, in the format of macOS.

    > str2saltedsha512('x').length
    136
    """
    if type(password) is not str:
        expected = f"a String argument, you passed: {get_ruby_class(password)}"
        raise Failure("ARGUMENT_REQUIRED", function="str2saltedsha512", expected=expected)
    effects.record_unrepeatable()
    salt = secrets.token_bytes(4)
    return format_value(salt.hex() + hashlib.sha512(salt + encode_utf8(password)).hexdigest())


# --- certificates


@function(
    "validate_x509_rsa_key_pair(Any p0*)",
    origin="stdlib",
    usage=("{name}(String certificate, String key)",),
)
def validate_x509_rsa_key_pair(*args: Value) -> None:
    """Fail unless an RSA key has signed a certificate.

    Both are in PEM. The function needs the package `cryptography`.

    > validate_x509_rsa_key_pair('a', 'b')
    ! Error while evaluating a Function Call, Not a valid x509 certificate: PEM_read_bio_X509: no start line
    """
    name = "validate_x509_rsa_key_pair"
    require(len(args) == 2, "ARGUMENT_COUNT_OF", function=name, number=len(args), expected="2")
    for text in args:
        require(
            type(text) is str, "VALIDATION_FAILED", reason=f"{inspect_for_message(text)} is not a string."
        )
    certificate, key = map(encode_utf8, args)
    try:
        reason = _find_key_problem(certificate, key)
    except ImportError:
        raise Failure("EXTRA_NEEDED", function=name, package="cryptography", extra="eyaml") from None
    require(reason is None, "VALIDATION_FAILED", reason=reason)


_CERTIFICATE = re.compile(rb"^-----BEGIN (X509 |)CERTIFICATE-----", re.MULTILINE)


def _find_key_problem(certificate: bytes, key: bytes) -> str | None:
    """Return why a key has not signed a certificate; None if it has."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
    from cryptography.x509 import load_pem_x509_certificate

    try:
        signed = load_pem_x509_certificate(certificate if _CERTIFICATE.search(certificate) else b"")
    except ValueError:
        return f"Not a valid x509 certificate: PEM_read_bio_X509{_find_pem_problem(certificate)}"
    public_key: Any
    try:
        if b"PRIVATE KEY" in key:
            public_key = serialization.load_pem_private_key(key, None)
        else:
            public_key = serialization.load_pem_public_key(key)
    except (ValueError, TypeError):
        return "Not a valid RSA key: Neither PUB key nor PRIV key: unsupported"
    if isinstance(public_key, RSAPrivateKey):
        public_key = public_key.public_key()
    if not isinstance(public_key, RSAPublicKey):
        return "Not a valid RSA key: incorrect pkey type: id-ecPublicKey"
    algorithm: Any = (signed.signature_algorithm_parameters, signed.signature_hash_algorithm)
    try:
        public_key.verify(signed.signature, signed.tbs_certificate_bytes, *algorithm)
    except (InvalidSignature, TypeError):
        return "Certificate signature does not match supplied key"
    return None


def _find_pem_problem(text: bytes) -> str:
    """Return what OpenSSL reports of a text that is no certificate in PEM."""
    begin = _CERTIFICATE.search(text)
    if begin is None:
        return ": no start line"
    body, end, _ = text[begin.end() :].partition(b"-----END %bCERTIFICATE-----" % begin[1])
    if not end:
        return ": bad end line"
    try:
        content = base64.b64decode(b"".join(body.split()), validate=True)
    except binascii.Error:
        return ": bad base64 decode"
    return ": ASN1 lib" if content else ""
