// Checks the requests of one connection: their framing, size and time, and ends the connection if they are wrong.
// Hummingbird does not: a client could keep a connection for ever by sending or reading slowly.
import NIOCore
import NIOHTTP1

/// A handler between the HTTP/1 decoder and the server.
///
/// A refused request gets one answer in its turn, after those to the requests before it, and the connection ends.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    enum Reading {
        case head
        /// The body of the last unanswered request.
        case body
        /// Nothing more: the connection ends with the outstanding answers.
        case nothing
    }

    enum Ending: Equatable {
        case notYet
        /// After all outstanding answers.
        case afterAnswers
        /// With this answer, after the outstanding ones.
        case refusing(Refusal)
        /// The last answer is written; further bytes are read and dropped, so that the client can read it.
        case lingering
        case closed
    }

    let settings: ServiceSettings
    let socket: SocketGuard

    var reading = Reading.head { didSet { socket.isReadingHead = reading == .head } }
    var ending = Ending.notYet
    /// Requests whose heads have arrived and whose answers have not ended.
    var outstanding = 0
    /// Whether the answer to the first of them has begun.
    var isAnswering = false
    /// Whether the body of the last of them was cut off, so that only the guard can answer it.
    var isBodyBroken = false
    /// When waiting for the current head or body began.
    var since = NIODeadline.now()

    private var isHTTP10 = false
    private var bodyBytes = 0
    /// Whether the server has asked for the end of the connection.
    private var isQuiescing = false

    var nextCheck: Scheduled<Void>?
    /// Bytes that the client had taken at the last check.
    var takenBytes = 0
    /// Since when the client takes nothing; nil if it does.
    var stalledSince: NIODeadline?

    init(_ settings: ServiceSettings, _ socket: SocketGuard) {
        self.settings = settings
        self.socket = socket
    }

    func handlerAdded(context: ChannelHandlerContext) { scheduleCheck(context) }

    func handlerRemoved(context: ChannelHandlerContext) {
        ending = .closed
        nextCheck?.cancel()
        nextCheck = nil
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard reading != .nothing, !isDroppingRequests else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            outstanding += 1
            since = .now()
            reading = .body
            bodyBytes = 0
            isHTTP10 = head.version.minor == 0
            let shape = RequestShape(head)
            if let refusal = refusal(of: head, shape) {
                refuse(refusal, context)
                return
            }
            if !head.isKeepAlive || shape.isLast { ending = .afterAnswers }
            if shape.expectsContinue, !isHTTP10, outstanding == 1 {
                let interim = HTTPResponseHead(version: .http1_1, status: .continue)
                context.writeAndFlush(wrapOutboundOut(.head(interim)), promise: nil)
            }
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
            if bodyBytes > settings.maxBodyBytes {
                refuse(.bodyTooLarge(maxBytes: settings.maxBodyBytes), context)
                return
            }
        case .end:
            socket.firstLine = FirstLine()
            reading = ending == .afterAnswers ? .nothing : .head
        }
        context.fireChannelRead(data)
    }

    /// Whether an answer has announced the end of the connection after its request was read.
    private var isDroppingRequests: Bool { ending == .afterAnswers && reading == .head }

    /// What is wrong with a head that the decoder accepted.
    private func refusal(of head: HTTPRequestHead, _ shape: RequestShape) -> Refusal? {
        if !shape.isSound { return .malformed }
        if shape.fieldBytes > settings.maxHeaderBytes {
            return .headersTooLarge(maxBytes: settings.maxHeaderBytes)
        }
        if head.uri.utf8.count > settings.maxURLBytes {
            return .urlTooLong(maxBytes: settings.maxURLBytes)
        }
        if let bytes = shape.bodyBytes, bytes > settings.maxBodyBytes {
            return .bodyTooLarge(maxBytes: settings.maxBodyBytes)
        }
        return nil
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        if ending == .lingering { context.read() }
    }

    func read(context: ChannelHandlerContext) {
        // Bytes after the last request stay in the socket: a client that continues to send costs nothing.
        if reading != .nothing || ending == .lingering { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard reading != .nothing else { return }
        switch error {
        case HTTPParserError.headerOverflow:
            socket.followLine()
            let isURL = socket.firstLine.byteCount > settings.maxURLBytes
            refuse(
                isURL
                    ? .urlTooLong(maxBytes: settings.maxURLBytes)
                    : .headersTooLarge(maxBytes: settings.maxHeaderBytes), context)
        case is HTTPParserError: refuse(.malformed, context)
        default: context.fireErrorCaught(error)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Not passed on: the server would close connections whose next request is on its way.
        if event is ChannelShouldQuiesceEvent {
            isQuiescing = true
            socket.counts.beginDraining()
            closeOnceIdle(context)
            return
        }
        if ending == .lingering, event as? ChannelEvent == .inputClosed { close(context) }
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
            if outstanding == 1, ending == .notYet, endsConnection(head) { ending = .afterAnswers }
            let isLast = ending == .afterAnswers && outstanding == 1
            // Whether the connection ends is known only here: the Connection field of a refusal may be wrong.
            guard isLast || isHTTP10 || head.status.code >= 400 else { break }
            var changed = head
            if isHTTP10 { changed.version = .http1_0 }
            changed.headers.remove(name: "Connection")
            if isLast || isHTTP10 {
                changed.headers.add(name: "Connection", value: isLast ? "close" : "keep-alive")
            }
            context.write(wrapOutboundOut(.head(changed)), promise: promise)
            return
        case .body: break
        case .end:
            outstanding -= 1
            isAnswering = false
            if reading == .head { since = .now() }
            if ending != .notYet, writeLast(context, data: data, promise: promise) { return }
            if isQuiescing { closeOnceIdle(context) }
        }
        context.write(data, promise: promise)
    }

    /// Whether no request may follow the answer to the only outstanding one.
    private func endsConnection(_ head: HTTPResponseHead) -> Bool {
        // A body that no handler waited for is not read to its end, and an HTTP/1.0 client finds the end of an answer by
        // its length or by the end of the connection.
        reading == .body || (isHTTP10 && !head.headers.contains(name: "Content-Length"))
            || socket.counts.drainingSince != nil
    }
}

@available(*, unavailable) extension ConnectionGuard: Sendable {}

// MARK: - Ending

extension ConnectionGuard {
    /// Seconds in which a client may still send bytes after the last answer; they are dropped.
    static let lingerSeconds: Int64 = 1
    /// Seconds in which a service that ends still takes requests on open connections.
    static let drainSeconds: Int64 = 1

    /// Ends the connection with an answer, after those to the whole requests before it.
    func refuse(_ refusal: Refusal, _ context: ChannelHandlerContext) {
        guard reading != .nothing else { return }
        socket.counts.count(refusal)
        isBodyBroken = reading == .body
        reading = .nothing
        if isBodyBroken, isAnswering, outstanding == 1 {
            // Its answer has begun, and a handler that waits for the rest of the body would wait forever.
            close(context)
            return
        }
        ending = .refusing(refusal)
        refuseIfTurn(context)
    }

    /// Ends the connection if all answers before the refusal are written.
    @discardableResult private func refuseIfTurn(_ context: ChannelHandlerContext) -> Bool {
        guard case .refusing(let refusal) = ending, outstanding - (isBodyBroken ? 1 : 0) == 0 else {
            return false
        }
        let body = refusal.body
        let head = refusal.head(byteCount: body.count)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        linger(context, writing: wrapOutboundOut(.end(nil)), promise: nil)
        return true
    }

    /// Writes the end of an answer, and ends the connection if it was the last; false if it was not the last.
    func writeLast(
        _ context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) -> Bool {
        switch ending {
        case .afterAnswers where outstanding == 0:
            linger(context, writing: data, promise: promise)
            return true
        case .refusing:
            context.write(data, promise: promise)
            refuseIfTurn(context)
            return true
        default: return false
        }
    }

    /// Writes the last part, and closes when the client has taken it.
    ///
    /// Closing a socket with unread bytes discards the answer, so that incoming bytes are read for a while.
    private func linger(
        _ context: ChannelHandlerContext, writing data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        let isAllRead = ending == .afterAnswers && reading == .nothing && !isBodyBroken
        reading = .nothing
        ending = .lingering
        since = .now()
        let written = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        written.futureResult.assumeIsolated().whenComplete { result in
            let (handler, context) = bound.value
            guard handler.ending == .lingering else { return }
            if isAllRead || (try? result.get()) == nil {
                handler.close(context)
            } else {
                handler.since = .now()
                context.close(mode: .output, promise: nil)
                handler.scheduleCheck(context)
                context.read()
            }
        }
        context.writeAndFlush(data, promise: written)
    }

    /// Closes the connection if it is idle when the drain time is over.
    private func closeOnceIdle(_ context: ChannelHandlerContext) {
        let began = socket.counts.drainingSince ?? .now()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.assumeIsolated().scheduleTask(
            deadline: began + .seconds(Self.drainSeconds)
        ) {
            let (handler, context) = bound.value
            guard handler.outstanding == 0, handler.ending == .notYet else { return }
            // Not forced: the last answer may not have arrived yet.
            context.close(promise: nil)
        }
    }

    func close(_ context: ChannelHandlerContext) {
        guard ending != .closed else { return }
        ending = .closed
        reading = .nothing
        socket.isForced = true
        context.close(promise: nil)
    }
}

// MARK: - Times

extension ConnectionGuard {
    /// Checks the times after a quarter of the shortest of them; nothing is scheduled for a single request.
    func scheduleCheck(_ context: ChannelHandlerContext) {
        nextCheck?.cancel()
        guard ending != .closed else { return }
        let shortest = min(settings.headerSeconds, settings.bodySeconds, settings.answerSeconds, 20)
        let wait = TimeAmount(seconds: max(shortest / 4, 0.01))
        nextCheck = context.eventLoop.assumeIsolated().scheduleTask(in: wait) { [self] in
            nextCheck = nil
            check(context, at: .now())
            if ending != .closed { scheduleCheck(context) }
        }
    }

    /// Ends the connection if one of its time limits has passed.
    private func check(_ context: ChannelHandlerContext, at now: NIODeadline) {
        let waiting = socket.waitingBytes(context)
        if isStalled(waiting, at: now) {
            close(context)
            return
        }
        switch (ending, reading) {
        case (.lingering, _):
            if waiting == 0, now - since >= .seconds(Self.lingerSeconds) { close(context) }
        case (_, .head) where outstanding == 0:
            // The time of the next request begins when the last answer was taken.
            if waiting > 0 { since = now }
            guard now - since >= TimeAmount(seconds: settings.headerSeconds) else { return }
            if !socket.firstLine.isFresh { refuse(.headTimeout, context) } else { close(context) }
        case (_, .body):
            // A body that the handlers do not read yet is not the client's fault.
            if !socket.isReadPending { since = now }
            guard now - since >= TimeAmount(seconds: settings.bodySeconds) else { return }
            refuse(.bodyTimeout, context)
        default: break
        }
    }

    /// Whether the client has taken none of the waiting bytes for too long.
    private func isStalled(_ waiting: Int, at now: NIODeadline) -> Bool {
        let taken = socket.writtenBytes - waiting
        defer { takenBytes = taken }
        guard waiting > 0 else {
            stalledSince = nil
            return false
        }
        guard taken == takenBytes, let stalledSince else {
            stalledSince = now
            return false
        }
        return now - stalledSince >= TimeAmount(seconds: settings.answerSeconds)
    }
}

extension TimeAmount {
    /// Seconds with their fraction, at most a day.
    fileprivate init(seconds: Double) {
        self = .nanoseconds(Int64(min(max(seconds, 0), 86_400) * 1e9))
    }
}
