// A listener's events, as they come; made by the hub, sent by the gate.
package import NIOCore

/// Events for one listener.
package struct EventStream: Sendable {
    /// What is sent, a piece at a time; it ends when the service stops, or when too much waits.
    package let chunks: AsyncStream<ByteBuffer>
}
