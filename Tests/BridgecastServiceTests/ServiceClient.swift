// Requests to a service without a socket: a responder is asked as the server asks it.
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded

/// An answer, its body whole.
struct ServiceReply: Sendable {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let body: ByteBuffer
}

/// Asks a responder.
struct ServiceClient: Sendable {
    private let respond: @Sendable (Request) async throws -> Response

    init<Responder: HTTPResponder>(_ responder: Responder)
    where
        Responder.Context: InitializableFromSource,
        Responder.Context.Source == ApplicationRequestContextSource
    {
        respond = { request in
            var log = Logger(label: "test")
            log.logLevel = .critical
            // Where the server puts the identifier of each request.
            log[metadataKey: "hb.request.id"] = .stringConvertible(RequestID())
            let source = ApplicationRequestContextSource(
                channel: NIOAsyncTestingChannel(), logger: log)
            return try await responder.respond(
                to: request, context: Responder.Context(source: source))
        }
    }

    /// Sends a request and collects the answer.
    func execute(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil
    ) async throws -> ServiceReply {
        var headers = headers
        if let body { headers[.contentLength] = "\(body.readableBytes)" }
        let head = HTTPRequest(
            method: method, scheme: "http", authority: "localhost", path: uri,
            headerFields: headers)
        let response = try await respond(
            Request(head: head, body: RequestBody(buffer: body ?? ByteBuffer())))
        let collector = BodyCollector()
        try await response.body.write(collector)
        return ServiceReply(
            status: response.status, headers: response.headers, body: collector.body)
    }
}

/// The parts of a body, one after the other.
private final class BodyCollector: ResponseBodyWriter {
    var body = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { body.writeImmutableBuffer(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
