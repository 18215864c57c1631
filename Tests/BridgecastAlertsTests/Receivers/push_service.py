"""A browser and its push service for tests, by Python's cryptography and none of our code.

Prints its address and subscription, then what it got as JSON: the decrypted message (RFC 8188, 8291) and whether the token
of the sender (RFC 8292) is signed and names this service. The path /gone answers 410.
"""
import base64
import http.server
import json
import os
import sys
import threading

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key):
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def derived(material, salt, info, length):
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(material)


browser = ec.generate_private_key(ec.SECP256R1())
secret = os.urandom(16)


def decrypted(body):
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    sender, sealed = body[21:21 + length], body[21 + length:]
    assert len(sealed) <= size
    shared = browser.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
    material = derived(shared, secret, b"WebPush: info\0" + point(browser.public_key()) + sender, 32)
    key = derived(material, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(material, salt, b"Content-Encoding: nonce\0", 12)
    plain = AESGCM(key).decrypt(nonce, sealed, None)
    assert plain.rstrip(b"\0")[-1:] == b"\2"
    return plain.rstrip(b"\0")[:-1]


def claims(authorization):
    parts = dict(part.strip().split("=", 1) for part in authorization.removeprefix("vapid ").split(","))
    content, _, signature = parts["t"].rpartition(".")
    raw = decoded(signature)
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
    numbers = (int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    key.verify(utils.encode_dss_signature(*numbers), content.encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(decoded(content.split(".")[1])), parts["k"]


class PushService(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        own, key = claims(self.headers["Authorization"])
        print(json.dumps({
            "message": json.loads(decrypted(body)), "claims": own, "key": key, "fields": dict(self.headers),
        }), flush=True)
        self.send_response(410 if self.path == "/gone" else 201)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PushService)
address = f"http://127.0.0.1:{server.server_address[1]}"
print(f"{address} {encoded(point(browser.public_key()))} {encoded(secret)}", flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
