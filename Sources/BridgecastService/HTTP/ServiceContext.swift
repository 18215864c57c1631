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
}
