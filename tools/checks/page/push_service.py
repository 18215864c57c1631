"""Chromium's push service on this machine: what the browser asks of Google's, and what a sender posts to its endpoints.

Chromium registers by two requests (checkin, register) and keeps a connection open (MCS, TLS with framed protocol buffers) by which
messages come. The messages that a sender posts are passed on as they are: only the browser can read them. The numbers of fields
are those of Chromium's google_apis/gcm/protocol/{checkin,mcs}.proto.
"""
import datetime, http.server, ipaddress, itertools, queue, socket, ssl, threading, urllib.parse

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

VERSION = 41
# Kinds of messages.
HEARTBEAT, HEARTBEAT_ANSWER, LOGIN, LOGIN_ANSWER, DATA = 0, 1, 2, 3, 8


def varint(number):
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def field(number, value):
    """A field of a protocol buffer: a whole number, or text or bytes."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def fixed(number, value):
    """A field of eight bytes."""
    return varint(number << 3 | 1) + value.to_bytes(8, "little")


def certificate(folder):
    """Files of a certificate of this machine and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number(), now, now + datetime.timedelta(days=1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
    files = folder / "push.crt", folder / "push.key"
    files[0].write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return files


class PushService:
    """One browser's push service."""

    def __init__(self, folder):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(*certificate(folder))
        self.registered, self.numbers, self.posts = {}, itertools.count(1), queue.Queue()
        self.browser = None
        self.messages = socket.create_server(("127.0.0.1", 0))
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Requests,), {"push": self}))
        for work in (self.server.serve_forever, self.accept):
            threading.Thread(target=work, daemon=True).start()
        self.address = "http://127.0.0.1:%d" % self.server.server_address[1]
        self.flags = ["--gcm-checkin-url=%s/checkin" % self.address, "--gcm-registration-url=%s/register" % self.address,
                      "--gcm-mcs-endpoint=https://127.0.0.1:%d" % self.messages.getsockname()[1], "--ignore-certificate-errors"]

    def close(self):
        self.server.shutdown()
        self.messages.close()

    def next(self, seconds):
        """The header fields of the next message that a sender posted; None if none comes."""
        try:
            return self.posts.get(timeout=seconds)
        except queue.Empty:
            return None

    def register(self, form):
        """A token for a subscription of the browser."""
        token = "token-%d" % next(self.numbers)
        self.registered[token] = form
        return token

    def pass_on(self, token, fields, body):
        """Passes a message on to the browser; the status for the sender."""
        form = self.registered.get(token)
        if form is None or self.browser is None:
            return 404
        data = b"".join(field(7, field(1, name) + field(2, text)) for name, text in (
            ("subtype", form["X-subtype"]), ("content-encoding", "aes128gcm")))
        message = field(3, form["sender"]) + field(5, form["app"]) + data + field(9, "m%d" % next(self.numbers)) + field(21, body)
        self.browser.sendall(bytes([DATA]) + varint(len(message)) + message)
        self.posts.put(fields)
        return 201

    def accept(self):
        while True:
            try:
                plain, _ = self.messages.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(plain,), daemon=True).start()

    def talk(self, plain):
        """Keeps the connection of the browser until it ends."""
        try:
            connection = self.context.wrap_socket(plain, server_side=True)
            stream = connection.makefile("rb")
            stream.read(1)
            while kind := stream.read(1):
                size = shift = 0
                while (byte := stream.read(1)[0]) > 127:
                    size, shift = size | (byte & 127) << shift, shift + 7
                stream.read(size | byte << shift)
                if kind[0] == LOGIN:
                    answer = field(1, "1")
                    connection.sendall(bytes([VERSION, LOGIN_ANSWER]) + varint(len(answer)) + answer)
                    self.browser = connection
                elif kind[0] == HEARTBEAT:
                    connection.sendall(bytes([HEARTBEAT_ANSWER, 0]))
        except (OSError, IndexError):
            # The browser was closed, or tries whether it can connect.
            pass


class Requests(http.server.BaseHTTPRequestHandler):
    """What the browser and senders ask for."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, answer = 200, b""
        if self.path.startswith("/checkin"):
            answer = field(1, 1) + fixed(7, 4711) + fixed(8, 815) + field(11, "1")
        elif self.path.startswith("/register"):
            answer = ("token=" + self.push.register(dict(urllib.parse.parse_qsl(body.decode())))).encode()
        else:
            status = self.push.pass_on(self.path.rsplit("/", 1)[-1], dict(self.headers), body)
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        try:
            self.end_headers()
            self.wfile.write(answer)
        except OSError:
            # The browser was closed.
            pass

    def log_message(self, *_):
        pass
