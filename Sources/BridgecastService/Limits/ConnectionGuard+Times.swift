// The times of a connection: one scheduled look at it now and then, whatever it does in between.
import NIOCore
import NIOHTTP1

extension ConnectionGuard {
    /// Looks at the times after a quarter of the shortest of them; nothing is scheduled for a single request.
    func scheduleCheck(_ context: ChannelHandlerContext) {
        nextCheck?.cancel()
        guard ending != .closed else { return }
        let shortest = min(
            settings.headerSeconds, settings.bodySeconds, settings.answerSeconds, 20)
        let wait = TimeAmount(seconds: max(shortest / 4, 0.01))
        nextCheck = context.eventLoop.assumeIsolated().scheduleTask(in: wait) { [self] in
            nextCheck = nil
            check(context, at: .now())
            if ending != .closed { scheduleCheck(context) }
        }
    }

    /// Ends the connection if one of its times is over.
    private func check(_ context: ChannelHandlerContext, at now: NIODeadline) {
        let waiting = socket.waitingBytes(context)
        if isStalled(waiting, at: now) {
            close(context)
            return
        }
        switch (ending, reading) {
        case (.lingering, _):
            if waiting == 0, now - since >= .seconds(Self.lingerSeconds) { close(context) }
        case (_, .head) where owed == 0:
            // The time of the next request begins when the last answer was taken.
            if waiting > 0 { since = now }
            guard now - since >= TimeAmount(seconds: settings.headerSeconds) else { return }
            if !socket.firstLine.isFresh { refuse(.headTimeout, context) } else { close(context) }
        case (_, .body):
            // A body that the handlers do not take yet is not the client's fault.
            if !socket.isReadPending { since = now }
            guard now - since >= TimeAmount(seconds: settings.bodySeconds) else { return }
            refuse(.bodyTimeout, context)
        default: break
        }
    }

    /// Whether a client has taken nothing of what waits for it for too long.
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
