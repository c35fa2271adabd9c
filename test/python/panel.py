#!/usr/bin/env python3
"""A panel in Python, written from docs/licensing/signed-requests.md: it proves that the page is complete.

Usage: panel.py URL LICENSE_KEY ROOT

It activates, sends heartbeats, lists the versions and deactivates, and prints one line of JSON for each step. ROOT is
the field `x` of the root key. Besides the standard library it needs `cryptography` (Debian: python3-cryptography).
"""

import email.utils
import hashlib
import hmac
import http.client
import json
import secrets
import sys
import time
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

API = "/api/v1/license"
TAG = "daybook-license-v1"
SIGNATURE_SECONDS_MAX = 300
TIMEOUT_SECONDS = 30
DEFAULT_PORTS = {"http": 80, "https": 443}
COMPONENTS = ["@method", "@authority", "@path", "@query", "content-type", "content-digest"]


def base64url(data):
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text):
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def sha256(data):
    return hashlib.sha256(data).digest()


# Keys


def jwk_of(x):
    return {"crv": "Ed25519", "kty": "OKP", "x": x}


def thumbprint(x):
    return base64url(sha256(json.dumps(jwk_of(x), separators=(",", ":")).encode()))


def public_x(private_key):
    return base64url(private_key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


# Signed requests


def authority_of(url):
    parts = urlsplit(url)
    is_default = parts.port in (None, DEFAULT_PORTS[parts.scheme])
    return parts.hostname if is_default else f"{parts.hostname}:{parts.port}"


def signature_parameters(names, parameters):
    given = "".join(f";{name}={bare_item(value)}" for name, value in parameters.items())
    return f"({' '.join(names)}){given}"


def bare_item(value):
    return str(value) if isinstance(value, int) else quoted(value)


def quoted(text):
    return f'"{text}"'


def signature_base(lines, parameters):
    return "\n".join(f"{name}: {value}" for name, value in [*lines, ('"@signature-params"', parameters)]).encode()


def signed_headers(method, url, target, body, license_key, instance, created, nonce):
    """The headers of a request; `instance` is its id and private key, or None."""
    path, _, query = target.partition("?")
    digest = f"sha-256=:{b64encode(sha256(body)).decode()}:"
    values = [method, authority_of(url), path, f"?{query}", "application/json", digest]
    lines = list(zip(map(quoted, COMPONENTS), values))

    claims = unverified_claims(license_key)
    lic = signature_parameters(
        [name for name, _ in lines],
        {
            "created": created,
            "expires": created + SIGNATURE_SECONDS_MAX,
            "nonce": nonce,
            "keyid": claims["jti"],
            "alg": "hmac-sha256",
            "tag": TAG,
        },
    )
    signature = hmac.digest(from_base64url(claims["k"]), signature_base(lines, lic), "sha256")
    inputs, signatures = {"lic": lic}, {"lic": byte_sequence(signature)}

    if instance:
        instance_id, private_key = instance
        lines = [*lines, ('"signature";key="lic"', signatures["lic"])]
        inst = signature_parameters(
            [name for name, _ in lines],
            {"created": created, "keyid": instance_id, "alg": "ed25519", "tag": TAG},
        )
        inputs["inst"] = inst
        signatures["inst"] = byte_sequence(private_key.sign(signature_base(lines, inst)))

    return {
        "Content-Type": "application/json",
        "Content-Digest": digest,
        "Signature-Input": list_of(inputs),
        "Signature": list_of(signatures),
    }


def byte_sequence(data):
    return f":{b64encode(data).decode()}:"


def list_of(members):
    return ", ".join(f"{label}={value}" for label, value in members.items())


# Signed answers


class Refused(Exception):
    """A statement that does not prove what it says."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def unverified_claims(jws):
    return json.loads(from_base64url(jws.split(".")[1]))


def verified_claims(jws, typ, key_of):
    """`key_of` returns the field `x` of the key with an id, and None for an unknown one."""
    header_part, payload_part, signature_part = jws.split(".")
    header = json.loads(from_base64url(header_part))
    require(set(header) == {"alg", "kid", "typ"}, "the header has other fields")
    require(header["alg"] == "EdDSA" and header["typ"] == typ, f"this is no {typ}")
    x = key_of(header["kid"])
    require(x is not None, "unknown key")
    public_key = Ed25519PublicKey.from_public_bytes(from_base64url(x))
    try:
        public_key.verify(from_base64url(signature_part), f"{header_part}.{payload_part}".encode())
    except InvalidSignature:
        raise Refused("wrong signature") from None
    return json.loads(from_base64url(payload_part)), header["kid"]


class Reply:
    def __init__(self, response):
        self.status = response.status
        self.error_code = response.getheader("Error-Code")
        self.date = int(email.utils.parsedate_to_datetime(response.getheader("Date")).timestamp())
        self.body = json.loads(response.read())
        # Set where they belong to the request, and only after they were verified.
        self.nonce = self.lease = self.statement = None


class Panel:
    def __init__(self, url, license_key, root_x):
        self.url = url
        self.license_key = license_key
        self.root_x = root_x
        self.private_key = Ed25519PrivateKey.generate()
        self.install_id = secrets.token_hex(16)
        self.instance_id = None
        self.manifest = None
        self.last_lease = None
        # The service's clock minus this host's, in seconds.
        self.offset = 0

    # Requests

    def activate(self):
        instance = {"name": "python", "hostname": "python.test", "version": "1.0.0", "os": "linux", "arch": "x64"}
        instance_key = jwk_of(public_x(self.private_key))
        body = {"fingerprint": self.fingerprint(), "instance": instance, "instanceKey": instance_key}
        reply = self.ask("POST", "/activate", body, is_instance=False)
        if reply.status in (200, 201):
            self.instance_id = reply.body["instance"]["id"]
        return self.with_lease(reply)

    def heartbeat(self, alter=None):
        body = {
            "instanceId": self.instance_id,
            "fingerprint": self.fingerprint(),
            "version": "1.0.0",
            "seqSeen": unverified_claims(self.license_key)["seq"],
            "prevLease": self.last_lease and self.last_lease["jti"],
        }
        return self.with_lease(self.ask("POST", "/heartbeat", body, alter=alter))

    def deactivate(self):
        return self.with_lease(self.ask("POST", "/deactivate", {"instanceId": self.instance_id, "reason": "over"}))

    def versions(self, alter=None):
        reply = self.ask("GET", "/versions?channel=stable", is_instance=False, alter=alter)
        if reply.status == 200:
            reply.statement = self.verified(reply.body["signed"], "daybook-versions+jwt")
            require(reply.statement["req"] == base64url(sha256(reply.nonce.encode())), "an answer to another request")
        return reply

    def fingerprint(self):
        hashed = hmac.digest(b"daybook-fp1", self.install_id.encode(), "sha256")
        return {"scheme": "fp1", "components": {"install": base64url(hashed[:16])}}

    def ask(self, method, path, body=None, is_instance=True, alter=None):
        reply = self.send(method, path, body, is_instance, alter)
        if reply.error_code != "CLOCK_SKEW":
            return reply
        # Until a verified lease says the time.
        self.offset = reply.date - int(time.time())
        return self.send(method, path, body, is_instance, alter)

    def send(self, method, path, body, is_instance, alter):
        content = b"" if body is None else json.dumps(body).encode()
        nonce = base64url(secrets.token_bytes(16))
        instance = (self.instance_id, self.private_key) if is_instance else None
        headers = signed_headers(method, self.url, API + path, content, self.license_key, instance, self.now(), nonce)
        reply = self.exchange(method, API + path, content, alter(headers) if alter else headers)
        reply.nonce = nonce
        return reply

    def exchange(self, method, target, content=b"", headers=None):
        parts = urlsplit(self.url)
        connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = connect(parts.hostname, parts.port, timeout=TIMEOUT_SECONDS)
        try:
            connection.request(method, target, content or None, headers or {})
            return Reply(connection.getresponse())
        finally:
            connection.close()

    # Answers

    def now(self):
        return int(time.time()) + self.offset

    def with_lease(self, reply):
        if reply.status not in (200, 201):
            return reply
        lease = self.verified(reply.body["lease"], "daybook-lease+jwt")
        require(lease["req"] == base64url(sha256(reply.nonce.encode())), "an answer to another request")
        require(lease["lic"] == unverified_claims(self.license_key)["jti"], "a lease of another license key")
        require(lease["sub"] == self.instance_id, "a lease of another instance")
        require(lease["cnf"]["jkt"] == thumbprint(public_x(self.private_key)), "a lease for another key")
        require(lease["iat"] <= self.now() + SIGNATURE_SECONDS_MAX, "a lease of the future")
        self.offset = lease["iat"] - int(time.time())
        self.last_lease = reply.lease = lease
        return reply

    def verified(self, jws, typ):
        """The claims of a statement that a key of the manifest signed while it was valid."""
        kid = json.loads(from_base64url(jws.split(".")[0]))["kid"]
        if self.manifest is None or kid not in self.listed_keys():
            self.read_manifest()
        keys = self.listed_keys()
        claims, kid = verified_claims(jws, typ, lambda kid: keys[kid]["jwk"]["x"] if kid in keys else None)
        key = keys[kid]
        require(claims["iat"] >= key["nbf"] - SIGNATURE_SECONDS_MAX, "signed before its key was valid")
        require(key["exp"] is None or claims["iat"] <= key["exp"], "signed after its key was valid")
        return claims

    def listed_keys(self):
        return {key["kid"]: key for key in self.manifest["keys"]}

    def read_manifest(self):
        jws = self.exchange("GET", f"{API}/keys").body["manifest"]
        roots = {thumbprint(self.root_x): self.root_x}
        manifest, _ = verified_claims(jws, "daybook-manifest+jwt", roots.get)
        require(manifest["exp"] > self.now(), "the manifest has expired")
        require(manifest["iat"] <= self.now() + SIGNATURE_SECONDS_MAX, "a manifest of the future")
        require(self.manifest is None or manifest["serial"] >= self.manifest["serial"], "an older manifest")
        self.manifest = manifest


# The tour


def flipped(label):
    """Changes one bit of one signature."""

    def alter(headers):
        signatures = dict(member.split("=", 1) for member in headers["Signature"].split(", "))
        signature = bytearray(b64decode(signatures[label].strip(":")))
        signature[0] ^= 1
        return {**headers, "Signature": list_of({**signatures, label: byte_sequence(signature)})}

    return alter


def main(url, license_key, root_x):
    panel = Panel(url, license_key, root_x)
    tour = {
        "activate": panel.activate,
        "heartbeat": panel.heartbeat,
        "next heartbeat": panel.heartbeat,
        "a bit flipped in lic": lambda: panel.versions(flipped("lic")),
        "a bit flipped in inst": lambda: panel.heartbeat(flipped("inst")),
        "versions": panel.versions,
        "deactivate": panel.deactivate,
    }
    for name, step in tour.items():
        reply = step()
        said = {"step": name, "status": reply.status, "errorCode": reply.error_code}
        if reply.lease:
            said |= {"state": reply.lease["st"], "prev": reply.lease["prev"], "jti": reply.lease["jti"]}
        if reply.statement:
            said |= {"versions": [each["version"] for each in reply.statement["versions"]]}
        print(json.dumps(said))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Refused as refused:
        sys.exit(f"Refused: {refused}")
