// Sends a stream of events as the body of an answer; used by the gate.
internal import Hummingbird
internal import NIOCore

enum StreamBody {
    /// A body that ends with the stream, or when the client goes.
    static func body(
        _ stream: EventStream, _ ended: @escaping @Sendable () -> Void
    ) -> ResponseBody {
        ResponseBody { writer in
            defer { ended() }
            for await chunk in stream.chunks { try await writer.write(chunk) }
            try await writer.finish(nil)
        }
    }
}
