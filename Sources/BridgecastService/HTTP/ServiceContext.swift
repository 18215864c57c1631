// What Hummingbird hands on with a request: who asks, and the path's parameters.
internal import Hummingbird
internal import NIOCore

/// The context of a request.
struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the connection; nil on an embedded channel.
    let peer: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress
    }

    /// The values of an endpoint's path parameters, in order, percent-decoded.
    ///
    /// - Throws: ``Problem`` 400 where one is not UTF-8.
    func pathValues(_ endpoint: Endpoint) throws(Problem) -> [String] {
        guard endpoint.path.utf8.contains(UInt8(ascii: "{")) else { return [] }
        var values: [String] = []
        for part in endpoint.path.split(separator: "/") where part.hasPrefix("{") {
            let name = String(part.dropFirst().dropLast())
            guard let value = parameters.get(name).flatMap({ PercentEncoding.decoded($0.utf8) })
            else {
                throw Problem(
                    .badRequest, .badRequest, "the path is not percent-encoded UTF-8",
                    recovery: "encode it as RFC 3986 has it", parameter: name)
            }
            values.append(value)
        }
        return values
    }
}
