// Watches the requests and answers of one connection: their shape, size and time; part of GuardedHTTP1Channel.
import NIOCore
import NIOHTTP1

/// Stands between the decoder of HTTP/1 and the server.
///
/// What it refuses gets one answer in its turn, after those to the requests before, and the connection ends.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// What is being read.
    enum Reading {
        /// The head of the next request.
        case head
        /// The body of the last of the requests that are not answered.
        case body
        /// Nothing more: this connection ends with the answers that are owed.
        case nothing
    }

    /// How the connection ends.
    enum Ending: Equatable {
        case notYet
        /// After all answers that are owed.
        case afterAnswers
        /// With this answer, after those that are owed.
        case refusing(Refusal)
        /// All is said; what still comes is read and dropped, so that the client can read its answer.
        case lingering
        case closed
    }

    let settings: ServiceSettings
    let socket: SocketGuard

    var reading = Reading.head { didSet { socket.isReadingHead = reading == .head } }
    var ending = Ending.notYet
    /// Requests whose heads have come and whose answers have not ended.
    var owed = 0
    /// Whether the answer to the first of these has begun.
    var isAnswering = false
    /// Whether the body of the last of these was broken off, so that only the guard can answer it.
    var isBodyBroken = false
    /// When waiting for what is being read began.
    var since = NIODeadline.now()

    private var isOldVersion = false
    private var bodyBytes = 0

    /// The next look at the times, and what the last one saw.
    var nextCheck: Scheduled<Void>?
    var takenBytes = 0
    var stalledSince: NIODeadline?

    init(_ settings: ServiceSettings, _ socket: SocketGuard) {
        (self.settings, self.socket) = (settings, socket)
    }

    func handlerAdded(context: ChannelHandlerContext) { scheduleCheck(context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        ending = .closed
        nextCheck?.cancel()
        nextCheck = nil
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard reading != .nothing else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            owed += 1
            since = .now()
            reading = .body
            bodyBytes = 0
            isOldVersion = head.version.minor == 0
            let shape = RequestShape(head)
            if let refusal = refusal(of: head, shape) {
                refuse(refusal, context)
                return
            }
            if !head.isKeepAlive || shape.isLast { ending = .afterAnswers }
            if shape.expectsContinue, !isOldVersion, owed == 1 {
                let word = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(word)), promise: nil)
            }
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
            if bodyBytes > settings.mostBodyBytes {
                refuse(.bodyTooLarge(mostBytes: settings.mostBodyBytes), context)
                return
            }
        case .end:
            socket.firstLine = FirstLine()
            reading = ending == .afterAnswers ? .nothing : .head
        }
        context.fireChannelRead(data)
    }

    /// What is wrong with a head that the decoder took.
    private func refusal(of head: HTTPRequestHead, _ shape: RequestShape) -> Refusal? {
        if !shape.isSound { return .malformed }
        if shape.fieldBytes > settings.mostHeaderBytes {
            return .headersTooLarge(mostBytes: settings.mostHeaderBytes)
        }
        if head.uri.utf8.count > settings.mostURLBytes {
            return .urlTooLong(mostBytes: settings.mostURLBytes)
        }
        if let bytes = shape.bodyBytes, bytes > settings.mostBodyBytes {
            return .bodyTooLarge(mostBytes: settings.mostBodyBytes)
        }
        return nil
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if ending == .lingering { context.read() }
    }

    func read(context: ChannelHandlerContext) {
        // What comes after the last request waits in the socket: a client that goes on sending costs nothing.
        if reading != .nothing || ending == .lingering { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard reading != .nothing else { return }
        switch error {
        case HTTPParserError.headerOverflow:
            socket.followLine()
            let isURL = socket.firstLine.byteCount > settings.mostURLBytes
            refuse(
                isURL
                    ? .urlTooLong(mostBytes: settings.mostURLBytes)
                    : .headersTooLarge(mostBytes: settings.mostHeaderBytes), context)
        case is HTTPParserError: refuse(.malformed, context)
        default: context.fireErrorCaught(error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        let isInputClosed = event as? ChannelEvent == .inputClosed
        if ending == .lingering, isInputClosed || event is ChannelShouldQuiesceEvent {
            close(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if ending == .lingering || ending == .closed {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head) where (100..<200).contains(head.status.code): break
        case .head(let head):
            isAnswering = true
            if owed == 1, ending == .notYet, endsConnection(head) { ending = .afterAnswers }
            let isLast = ending == .afterAnswers && owed == 1
            // Whether the connection ends is known only here: what a refusal says of it may be wrong.
            guard isLast || isOldVersion || head.status.code >= 400 else { break }
            var changed = head
            if isOldVersion { changed.version = .http1_0 }
            changed.headers.remove(name: "Connection")
            if isLast || isOldVersion {
                changed.headers.add(name: "Connection", value: isLast ? "close" : "keep-alive")
            }
            context.write(wrapOutboundOut(.head(changed)), promise: promise)
            return
        case .body: break
        case .end:
            owed -= 1
            isAnswering = false
            if reading == .head { since = .now() }
            if ending != .notYet, writeLast(context, data, promise) { return }
        }
        context.write(data, promise: promise)
    }

    /// Whether no request can follow on an answer to the only one that is owed.
    private func endsConnection(_ head: HTTPResponseHead) -> Bool {
        // A body that nobody waited for is not read to its end, and an old client knows an answer's end by its length
        // or by the connection's end.
        reading == .body || (isOldVersion && !head.headers.contains(name: "Content-Length"))
    }
}

@available(*, unavailable)
extension ConnectionGuard: Sendable {}
