// Connections of Hummingbird's HTTP/1 server with a guard in front; the application is built with it.
// Belongs here: what keeps the service safe from its clients: addresses, limits, times, secrets; not: limits of what a
// request asks for (HTTP, Endpoints).
package import HummingbirdCore
package import Logging
package import NIOCore
private import NIOHTTP1

/// HTTP/1 connections that are counted, timed and checked before a handler sees anything of them.
package struct GuardedHTTP1Channel: ServerChildChannel {
    package typealias Value = HTTP1Channel.Value

    private let inner: HTTP1Channel
    private let settings: ServiceSettings
    private let trust: ProxyTrust
    private let counts: ConnectionCounts

    /// Creates connections that hand requests to a responder.
    package init(
        responder: @escaping HTTPChannelHandler.Responder, settings: ServiceSettings,
        trust: ProxyTrust, counts: ConnectionCounts
    ) {
        (self.settings, self.trust, self.counts) = (settings, trust, counts)
        inner = HTTP1Channel(
            responder: responder,
            configuration: .init(
                httpDecoderConfiguration: .init(
                    // An address may be longer than all fields, so the decoder must let the longer of both through.
                    maxHeaderFieldSize: max(settings.mostHeaderBytes, settings.mostURLBytes),
                    maxHeaderListSize: settings.mostHeaderBytes + settings.mostURLBytes,
                    maxHeaderFieldCount: RequestShape.mostFields)))
    }

    /// A server of such connections, as an application takes it.
    package static func builder(
        _ settings: ServiceSettings, trust: ProxyTrust, counts: ConnectionCounts
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            GuardedHTTP1Channel(
                responder: responder, settings: settings, trust: trust, counts: counts)
        }
    }

    /// Puts the guard's handlers into a new connection.
    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let peer = ClientAddress(peer: channel.remoteAddress)
        let socket = SocketGuard(counts, counts.open(peer, isProxy: trust.contains(peer)))
        do {
            try channel.pipeline.syncOperations.addHandler(socket)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        let set = inner.setup(channel: channel, logger: logger).assumeIsolated()
        return set.flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.context(
                handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(
                ConnectionGuard(settings, socket), position: .after(decoder.handler))
            return value
        }.nonisolated()
    }

    /// Answers the requests of a connection.
    package func handle(value: Value, logger: Logger) async {
        await inner.handle(value: value, logger: logger)
    }
}
