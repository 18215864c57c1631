// Connections of Hummingbird's HTTP/1 server that are counted and watched. The checks of requests are in
// ConnectionGuard.swift.
package import HummingbirdCore
package import Logging
package import NIOCore
private import NIOHTTP1
private import Synchronization

/// HTTP/1 connections that are counted, timed and checked before a handler receives anything from them.
package struct GuardedHTTP1Channel: ServerChildChannel {
    package typealias Value = AcceptedConnection

    private let inner: HTTP1Channel
    private let settings: ServiceSettings
    private let trust: ProxyTrust
    private let counts: ConnectionCounts

    package init(
        responder: @escaping HTTPChannelHandler.Responder, settings: ServiceSettings,
        trust: ProxyTrust, counts: ConnectionCounts
    ) {
        self.settings = settings
        self.trust = trust
        self.counts = counts
        inner = HTTP1Channel(
            responder: responder,
            configuration: .init(
                httpDecoderConfiguration: .init(
                    // An address may be longer than all fields, so the decoder must let the longer of both through.
                    maxHeaderFieldSize: max(settings.maxHeaderBytes, settings.maxURLBytes),
                    maxHeaderListSize: settings.maxHeaderBytes + settings.maxURLBytes,
                    maxHeaderFieldCount: RequestShape.maxFields)))
    }

    package static func builder(
        _ settings: ServiceSettings, trust: ProxyTrust, counts: ConnectionCounts
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            GuardedHTTP1Channel(
                responder: responder, settings: settings, trust: trust, counts: counts)
        }
    }

    /// Adds the guard's handlers to the pipeline of a new connection.
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
            return AcceptedConnection(channel) { [inner] in
                await inner.handle(value: value, logger: logger)
            }
        }.nonisolated()
    }

    package func handle(value: Value, logger: Logger) async { await value.handle() }
}

/// A connection that the server has accepted, and handles once its turn comes.
///
/// A server that ends releases those whose turn has not come. They are handled all the same: the client would wait in
/// vain, and NIO traps where the writer of a channel is released unfinished.
package final class AcceptedConnection: ServerChildChannelValue {
    package let channel: any Channel
    private let work: @Sendable () async -> Void
    private let isBegun = Atomic(false)

    fileprivate init(_ channel: any Channel, _ work: @escaping @Sendable () async -> Void) {
        self.channel = channel
        self.work = work
    }

    func handle() async {
        isBegun.store(true, ordering: .relaxed)
        await work()
    }

    deinit {
        guard !isBegun.load(ordering: .relaxed) else { return }
        Task { [work] in await work() }
    }
}

// MARK: - Bytes

/// Counts the bytes of one connection, and lets written answers arrive before it closes.
final class SocketGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Bytes passed to the socket so far.
    private(set) var writtenBytes = 0
    /// Whether a read is pending; if not, the handlers are busy.
    private(set) var isReadPending = false
    /// What has arrived of the first line of the head that is being read.
    var firstLine = FirstLine()
    var isReadingHead = true
    /// Whether the connection closes even if the client has not taken everything.
    var isForced = false
    /// Whether it closes as soon as the client has taken everything.
    private var isClosing = false
    private var current: ByteBuffer?

    let counts: ConnectionCounts
    private let entry: ConnectionCounts.Entry

    init(_ counts: ConnectionCounts, _ entry: ConnectionCounts.Entry) {
        self.counts = counts
        self.entry = entry
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        guard case .refused(let refusal) = entry else { return }
        // Nothing is read: a client with too many connections is not waited for.
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(refusal.wireBytes)), promise: nil)
        context.close(promise: nil)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        if case .pass(let pass) = entry { pass.close() }
    }

    func read(context: ChannelHandlerContext) {
        isReadPending = true
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReadPending = false
        current = unwrapInboundIn(data)
        firstLine.isFresh = false
        context.fireChannelRead(data)
        followLine()
    }

    /// Counts the bytes that are being read, if they are the beginning of a head.
    func followLine() {
        if let current, isReadingHead { firstLine.add(current) }
        current = nil
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        writtenBytes += unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, !isForced, isClosing || waitingBytes(context) > 0 else {
            context.close(mode: mode, promise: promise)
            return
        }
        guard !isClosing else {
            context.channel.closeFuture.cascade(to: promise)
            return
        }
        // Closing discards what the system has not taken yet: a written answer has to arrive first.
        isClosing = true
        let written = context.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.futureResult.assumeIsolated().whenComplete { _ in
            bound.value.close(mode: .all, promise: promise)
        }
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: written)
    }

    /// Bytes that the system has not taken yet.
    func waitingBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}

@available(*, unavailable) extension SocketGuard: Sendable {}

/// The first line of a head that has not ended.
struct FirstLine {
    /// Bytes up to the end of the line, or so far.
    private(set) var byteCount = 0
    /// Whether nothing has arrived since the previous request.
    ///
    /// Bytes in the same packet as the previous request count for that one.
    var isFresh = true

    private var isEnded = false

    mutating func add(_ bytes: ByteBuffer) {
        guard !isFresh, !isEnded else { return }
        let view = bytes.readableBytesView
        if let end = view.firstIndex(of: UInt8(ascii: "\n")) {
            byteCount += end - view.startIndex
            isEnded = true
        } else {
            byteCount += view.count
        }
    }
}
