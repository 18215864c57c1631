// The checks of a request's framing, and the refusals that a connection ends with; ConnectionGuard applies them.
package import BridgecastSupport
private import BridgecastAnswers
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The framing of a request, as its head states it.
///
/// It is stricter than the decoder: a proxy in front may understand an ambiguous request differently.
struct RequestShape {
    /// Header fields of a request; the service uses about twenty.
    static let maxFields = 100

    /// Bytes of the body; nil if it is chunked or there is none.
    private(set) var bodyBytes: Int?
    private(set) var fieldBytes = 0
    /// Whether the client waits for `100 Continue` before it sends the body.
    private(set) var expectsContinue = false
    /// Whether the connection would be handed over to another protocol, after which no request is read.
    private(set) var isLast = false
    /// Whether it can be understood in only one way.
    private(set) var isSound = true

    init(_ head: HTTPRequestHead) {
        var hosts = 0
        var lengths = 0
        var codings = 0
        // Names are compared only if the length is right: this runs for every request.
        for (name, value) in head.headers {
            fieldBytes += name.utf8.count + value.utf8.count
            switch name.utf8.count {
            case 4 where name.isSame(as: "host"): hosts += 1
            case 6 where name.isSame(as: "expect"):
                expectsContinue = value.isSame(as: "100-continue")
            case 7 where name.isSame(as: "upgrade"): isLast = true
            case 14 where name.isSame(as: "content-length"):
                lengths += 1
                bodyBytes = Int(value)
                if bodyBytes == nil { isSound = false }
            case 17 where name.isSame(as: "transfer-encoding"):
                codings += 1
                if !value.isSame(as: "chunked") { isSound = false }
            default: break
            }
        }
        if head.method == .CONNECT { isLast = true }
        let isOld = head.version.minor == 0
        if hosts > 1 || (hosts == 0 && !isOld) { isSound = false }
        if lengths + codings > 1 || (codings > 0 && isOld) { isSound = false }
    }
}

extension String {
    /// Whether it equals a lowercase word, ignoring case.
    fileprivate func isSame(as word: StaticString) -> Bool {
        guard utf8.count == word.utf8CodeUnitCount else { return false }
        var position = 0
        for byte in utf8 {
            // Safe: the position is below the count that was compared.
            let expected = unsafe word.utf8Start[position]
            let isCapital = byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
            guard (isCapital ? byte | 0x20 : byte) == expected else { return false }
            position += 1
        }
        return true
    }
}

// MARK: - Refusals

enum Refusal: Sendable, Equatable {
    case malformed
    case urlTooLong(maxBytes: Int)
    case headersTooLarge(maxBytes: Int)
    case headTimeout
    case bodyTimeout
    case bodyTooLarge(maxBytes: Int)
    case tooManyConnections
    case tooManyConnectionsOfClient

    var label: String {
        switch self {
        case .malformed: "malformed"
        case .urlTooLong: "url_too_long"
        case .headersTooLarge: "headers_too_large"
        case .headTimeout: "head_timeout"
        case .bodyTimeout: "body_timeout"
        case .bodyTooLarge: "body_too_large"
        case .tooManyConnections: "too_many_connections"
        case .tooManyConnectionsOfClient: "too_many_connections_of_client"
        }
    }

    var problem: Problem {
        switch self {
        case .malformed:
            Problem(
                .badRequest, "this is not a valid HTTP/1.1 request",
                recovery:
                    "send one Host, one of Content-Length and Transfer-Encoding, lines that end with CR LF"
            )
        case .urlTooLong(let limit):
            Problem(
                .urlTooLong, "the path with its query has more than \(limit) bytes",
                recovery: "send large data as the body of a POST")
        case .headersTooLarge(let limit):
            Problem(
                .headersTooLarge,
                "the header has more than \(limit) bytes or \(RequestShape.maxFields) fields",
                recovery: "send fewer or shorter fields, for example no cookies")
        case .headTimeout:
            Problem(
                .requestTimeout, "the header did not arrive in time",
                recovery: "send the whole header at once", retryAfterSeconds: 1)
        case .bodyTimeout:
            Problem(
                .requestTimeout, "the body did not arrive in time",
                recovery: "send the whole body at once", retryAfterSeconds: 1)
        case .bodyTooLarge(let limit):
            Problem(
                .bodyTooLarge, "the body has more than \(limit) bytes",
                recovery: "split it into several requests")
        case .tooManyConnections:
            Problem(
                .overloaded, "all connections are taken", recovery: "try again in a second",
                retryAfterSeconds: 1)
        case .tooManyConnectionsOfClient:
            Problem(
                .tooManyRequests, "this address has too many connections",
                recovery: "use fewer connections, each for many requests", retryAfterSeconds: 1)
        }
    }

    func head(byteCount: Int) -> HTTPResponseHead {
        let problem = problem
        var fields: HTTPHeaders = [
            "Content-Type": MediaType.problem.contentType, "Content-Length": String(byteCount),
            "Cache-Control": "no-store", "Connection": "close",
        ]
        for field in SecurityFields.all { fields.add(name: field.name.rawName, value: field.value) }
        if let seconds = problem.retryAfterSeconds {
            fields.add(name: "Retry-After", value: String(seconds))
        }
        let status = HTTPResponseStatus(
            statusCode: problem.status.code, reasonPhrase: problem.status.reasonPhrase)
        return HTTPResponseHead(version: .http1_1, status: status, headers: fields)
    }

    var body: [UInt8] { ProblemAnswer(problem: problem, requestID: nil).jsonBytes() }

    /// The whole encoded answer, for a connection that has no encoder yet.
    var wireBytes: ByteBuffer {
        let body = body
        let head = head(byteCount: body.count)
        var text = "HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n"
        for (name, value) in head.headers { text += "\(name): \(value)\r\n" }
        var bytes = ByteBuffer(string: text + "\r\n")
        bytes.writeBytes(body)
        return bytes
    }
}
