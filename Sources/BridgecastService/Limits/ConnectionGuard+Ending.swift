// How a connection ends: the last answer is written, and read by the client, before the socket goes.
import NIOCore
import NIOHTTP1

extension ConnectionGuard {
    /// Seconds in which a client may still send what nobody reads after the last answer.
    static let lingerSeconds: Int64 = 1

    /// Ends the connection with an answer, once those to whole requests before are given.
    func refuse(_ refusal: Refusal, _ context: ChannelHandlerContext) {
        guard reading != .nothing else { return }
        socket.counts.count(refusal)
        isBodyBroken = reading == .body
        reading = .nothing
        if isBodyBroken, isAnswering, owed == 1 {
            // Its answer has begun, and a handler that waits for the rest of the body would wait for ever.
            close(context)
            return
        }
        ending = .refusing(refusal)
        refuseIfTurn(context)
    }

    /// Ends the connection if all answers before the refusal are given.
    @discardableResult
    private func refuseIfTurn(_ context: ChannelHandlerContext) -> Bool {
        guard case .refusing(let refusal) = ending, owed - (isBodyBroken ? 1 : 0) == 0 else {
            return false
        }
        let body = refusal.body
        let head = refusal.head(byteCount: body.count)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(
            wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        linger(context, writing: wrapOutboundOut(.end(nil)), promise: nil)
        return true
    }

    /// Writes the end of an answer, and ends the connection if it was the last; false if it was not the last.
    func writeLast(
        _ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?
    ) -> Bool {
        switch ending {
        case .afterAnswers where owed == 0:
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
    /// A socket with unread bytes that is closed at once takes the answer back, so that what comes is read for a while.
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

    /// Closes the socket.
    func close(_ context: ChannelHandlerContext) {
        guard ending != .closed else { return }
        ending = .closed
        reading = .nothing
        socket.isForced = true
        context.close(promise: nil)
    }
}
