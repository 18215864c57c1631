// What the guard of a connection answers itself, before or instead of a handler, and how the answer is written.
private import BridgecastAnswers
private import HTTPTypes
import NIOCore
import NIOHTTP1

/// Why a connection ends with an answer of the guard.
enum Refusal: Sendable, Equatable {
    case malformed
    case urlTooLong(mostBytes: Int)
    case headersTooLarge(mostBytes: Int)
    case headTimeout
    case bodyTimeout
    case bodyTooLarge(mostBytes: Int)
    case tooManyConnections
    case tooManyConnectionsOfClient

    /// A short name for metrics.
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

    /// What a client reads.
    var problem: Problem {
        switch self {
        case .malformed:
            Problem(
                .badRequest, .badRequest,
                "this is not a request of HTTP/1.1 that can be understood",
                recovery:
                    "send one Host, one of Content-Length and Transfer-Encoding, lines that end with CR LF"
            )
        case .urlTooLong(let most):
            Problem(
                .uriTooLong, .urlTooLong, "the path with its query has more than \(most) bytes",
                recovery: "send much data as the body of POST")
        case .headersTooLarge(let most):
            Problem(
                .requestHeaderFieldsTooLarge, .headersTooLarge,
                "the header has more than \(most) bytes or \(RequestShape.mostFields) fields",
                recovery: "send fewer or shorter fields, such as no cookies")
        case .headTimeout:
            Problem(
                .requestTimeout, .requestTimeout, "the header did not come in time",
                recovery: "send the whole header at once", retryAfterSeconds: 1)
        case .bodyTimeout:
            Problem(
                .requestTimeout, .requestTimeout, "the body did not come in time",
                recovery: "send the whole body at once", retryAfterSeconds: 1)
        case .bodyTooLarge(let most):
            Problem(
                .contentTooLarge, .bodyTooLarge, "the body has more than \(most) bytes",
                recovery: "split it into several requests")
        case .tooManyConnections:
            Problem(
                .serviceUnavailable, .overloaded, "all connections are taken",
                recovery: "try again in a second", retryAfterSeconds: 1)
        case .tooManyConnectionsOfClient:
            Problem(
                .tooManyRequests, .tooManyRequests, "this address has too many connections",
                recovery: "use fewer connections, each for many requests", retryAfterSeconds: 1)
        }
    }

    /// The head of the answer to a body of so many bytes.
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

    /// The body of the answer.
    var body: [UInt8] { ProblemAnswer(problem: problem, requestID: nil).jsonBytes() }

    /// The whole answer as it goes over the wire, for a connection that has no encoder yet.
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
