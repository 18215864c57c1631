// A realtime feed as the poller knows it: when it may be asked again, and how an asking ends.
internal import BridgecastCore
internal import BridgecastData

/// A source, and how it has fared.
struct PolledFeed: Sendable {
    let source: any RealtimeSource
    /// Failures since it last answered.
    private(set) var failures = 0
    /// Not to be asked before; nil after a success.
    private var restsUntil: Timestamp?
    private var failedAt: Timestamp?
    /// Whether its newest message could not be read.
    private(set) var isUnreadable = false

    /// A feed that fails is asked at least so often, seconds.
    static let longestRestSeconds = 600.0
    /// Nor is it left alone for longer than that, whatever it asks for, seconds.
    private static let longestWishSeconds = 3600.0

    init(_ source: any RealtimeSource) { self.source = source }

    /// How an asking ended.
    enum Outcome: Sendable {
        case message(RealtimeReading)
        case unchanged
        case failed(any Error)
        /// It answered, with something that is no message.
        case unreadable(DocumentProblem)
        case cancelled
    }

    /// Asks a source and reads what it says; on whatever thread there is.
    static func ask(_ source: any RealtimeSource, at now: Timestamp) async -> Outcome {
        let bytes: [UInt8]?
        do {
            bytes = try await source.fetch(at: now)
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .failed(error)
        }
        guard let bytes else { return .unchanged }
        do {
            return .message(try RealtimeFeed.read(bytes))
        } catch {
            return .unreadable(error)
        }
    }

    /// Whether it may be asked at a moment.
    func isDue(at now: Timestamp) -> Bool {
        guard let restsUntil, let failedAt else { return true }
        // A clock that was set back must not keep it waiting.
        return now >= restsUntil || now < failedAt
    }

    /// Notes an answer.
    ///
    /// - Parameter isRead: Whether its message was read; false if it is the one that it had before.
    mutating func succeeded(isRead: Bool) {
        (failures, restsUntil, failedAt) = (0, nil, nil)
        if isRead { isUnreadable = false }
    }

    /// Notes a message that could not be read; nothing speaks against asking again.
    mutating func wasUnreadable() {
        (isUnreadable, failures, restsUntil, failedAt) = (true, 0, nil, nil)
    }

    /// Notes a failure: it rests for an interval, then twice as long with each failure that follows, or as long as it
    /// asks to.
    ///
    /// A file that is not there yet costs nobody anything and is looked for every time.
    mutating func failed(_ error: any Error, at now: Timestamp, intervalSeconds: Double) {
        guard !(error is DocumentProblem) else { return }
        failures += 1
        let doubled = intervalSeconds * Double(1 << min(failures - 1, 20))
        let asked = min((error as? FeedError)?.retryAfterSeconds ?? 0, Self.longestWishSeconds)
        let rest = max(min(doubled, max(intervalSeconds, Self.longestRestSeconds)), asked)
        // A second less: the poller's own clock may come a moment early.
        (restsUntil, failedAt) = (now.adding(seconds: Int64(rest) - 1), now)
    }
}
