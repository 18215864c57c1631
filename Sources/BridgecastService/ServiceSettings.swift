// The settings of the service with their defaults. Reading them from options, environment and file is in
// BridgecastServerCLI.

/// Addresses, limits and times of the service.
public struct ServiceSettings: Sendable, Equatable {
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port; 0 for one chosen by the system.
    public var port = 8080
    /// The port of the administration, on loopback only; nil for none.
    public var adminPort: Int?
    /// The bearer token of administrators, at least ``minTokenLength`` characters; with a shorter one there is no
    /// administration.
    public var adminToken: String?
    /// Minimum characters of the token; a shorter one could be guessed.
    public static let minTokenLength = 16

    /// The header field in which a proxy states the client's address, such as `X-Forwarded-For`; nil without a proxy.
    public var trustedHeader: String?
    /// Addresses of trusted proxies.
    public var trustedProxies: [String] = []

    /// Maximum bytes of a body.
    public var maxBodyBytes = 8 << 20
    /// Maximum bytes of all bodies in memory.
    public var maxBodiesBytes = 64 << 20
    /// Maximum bytes of all header fields of a request.
    public var maxHeaderBytes = 16 << 10
    /// Maximum bytes of a path with its query.
    public var maxURLBytes = 8 << 10
    /// Maximum nesting of a JSON body.
    public var maxJSONDepth = 32
    /// Maximum candidates to rank, or rows to forecast, in one request.
    public var maxRows = 10_000

    /// Maximum connections in all.
    public var maxConnections = 4096
    /// Maximum connections of a client address.
    public var maxConnectionsPerClient = 256
    /// Maximum event streams in all.
    public var maxStreams = 4096
    /// Maximum event streams of a client address.
    public var maxStreamsPerClient = 64
    /// Requests per second of a client address, in the long run; 0 for no limit.
    public var requestsPerSecond = 50.0
    /// Requests that a client may send at once after a pause.
    public var requestBurst = 200.0
    /// Heavy requests that may wait for their turn; more are refused.
    public var maxWaiting = 256

    /// Seconds from a connection, or the end of an answer, to the end of the next request's head.
    public var headerSeconds = 20.0
    /// Seconds from a request's head to the end of its body.
    public var bodySeconds = 30.0
    /// Seconds in which a client must take some of the sent bytes.
    public var answerSeconds = 30.0
    /// Seconds between heartbeats on an event stream.
    public var heartbeatSeconds = 15.0
    /// Seconds for a graceful shutdown.
    public var shutdownSeconds = 10.0

    /// Creates the default settings.
    public init() {}
}
