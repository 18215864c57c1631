// Everything that can be set about the service, with its usual values; the command line, the environment and a file
// fill it in.
// Belongs here: the service as a whole: what it is made of and how it is set; not: reading of configuration
// (BridgecastServerCLI).

/// Addresses, limits and times of the service.
public struct ServiceSettings: Sendable, Equatable {
    /// The address that is listened on.
    public var host = "127.0.0.1"
    /// The port; 0 for one that the system chooses.
    public var port = 8080
    /// The port of the administration, on loopback only; nil for none.
    public var adminPort: Int?
    /// What administrators send as a bearer token, at least ``leastTokenLength`` characters; a shorter one starts no
    /// administration.
    public var adminToken: String?
    /// Characters of the shortest token; a shorter one could be guessed.
    public static let leastTokenLength = 16

    /// The field that a proxy puts the client's address into, such as `X-Forwarded-For`; nil where there is no proxy.
    public var trustedHeader: String?
    /// Addresses of proxies whose field is believed.
    public var trustedProxies: [String] = []

    /// Bytes of a body.
    public var mostBodyBytes = 8 << 20
    /// Bytes of all bodies that are being read or worked on.
    public var mostBodiesBytes = 64 << 20
    /// Bytes of all fields of a request's head.
    public var mostHeaderBytes = 16 << 10
    /// Bytes of a path with its query.
    public var mostURLBytes = 8 << 10
    /// Containers in containers in a JSON body.
    public var mostJSONDepth = 32
    /// Candidates to rank, or rows to forecast, in one request.
    public var mostRows = 10_000

    /// Connections in all.
    public var mostConnections = 4096
    /// Connections of a client address.
    public var mostConnectionsPerClient = 256
    /// Streams of events in all.
    public var mostStreams = 4096
    /// Streams of events of a client address.
    public var mostStreamsPerClient = 64
    /// Requests of a client address in a second, in the long run; 0 for any number.
    public var requestsPerSecond = 50.0
    /// Requests that a client that was silent may send at once.
    public var requestBurst = 200.0
    /// Heavy requests that may wait for their turn; more are refused.
    public var mostWaiting = 256

    /// Seconds from a connection, or the end of an answer, to the end of the next request's head.
    public var headerSeconds = 20.0
    /// Seconds from a request's head to the end of its body.
    public var bodySeconds = 30.0
    /// Seconds in which a client must take some of what is sent.
    public var answerSeconds = 30.0
    /// Seconds between signs of life on a stream of events.
    public var heartbeatSeconds = 15.0
    /// Seconds in which everything ends when the service is stopped.
    public var shutdownSeconds = 10.0

    /// Creates the usual settings.
    public init() {}
}
