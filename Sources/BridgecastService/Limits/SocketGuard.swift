// The end of the pipeline at the socket: counts what goes through, and turns away connections that are too many.
import NIOCore

/// Watches the bytes of one connection.
final class SocketGuard: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Bytes handed to the socket so far.
    private(set) var writtenBytes = 0
    /// Whether the next bytes are awaited; if not, the handlers have enough to do.
    private(set) var isReadPending = false
    /// What has come of the head that is being read.
    var firstLine = FirstLine()
    /// Whether the head of a request is being read.
    var isReadingHead = true
    /// Whether the connection is closed though a client has not taken all.
    var isForced = false
    /// Whether it is closed as soon as the client has taken all.
    private var isClosing = false
    /// The bytes that are being read at the moment.
    private var current: ByteBuffer?

    /// Where refusals are counted.
    let counts: ConnectionCounts
    private let entry: ConnectionCounts.Entry

    init(_ counts: ConnectionCounts, _ entry: ConnectionCounts.Entry) {
        (self.counts, self.entry) = (counts, entry)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        guard case .refused(let refusal) = entry else { return }
        // Nothing is read of it: whoever has too many connections is not waited for.
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
        // A close takes back what the system has not yet taken: an answer that was written is to arrive first.
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

@available(*, unavailable)
extension SocketGuard: Sendable {}
