// A request as a handler sees it: parameters, body, and the service; made by the gate.
package import BridgecastCore
package import NIOCore

/// A request that has passed the limits.
package struct ServiceRequest: Sendable {
    /// What stands behind the question mark.
    package let query: Query
    /// The values of the path's parameters, in order.
    package let path: [String]
    /// The form of the answer that the client likes best.
    package let form: MediaType
    /// The number of the last event that a client of the stream has seen.
    package let lastEventID: String?
    /// The body; empty where there is none.
    package let body: ByteBuffer
    /// When it was taken in, by the service's clock; the issue time if it names one.
    package var now: Timestamp
    /// What the service knows.
    package let state: ServiceState
    /// The board of the issue time that it names; nil for the newest one.
    package var past: Board? = nil
    /// The languages that the client likes; read for files of the page alone.
    package var acceptLanguage: String? = nil
}
