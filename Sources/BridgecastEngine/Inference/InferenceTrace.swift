// What a host learns of each call, for its own tracing and metrics.
public import BridgecastSupport
private import Synchronization

/// One call of ``TrafficInference``, when it is over: for spans and metrics of the host.
///
/// ``InferenceOptions/onCall`` is handed each, in the task that made the call, so that the span which is current there is the parent.
public struct InferenceTrace: Sendable {
    /// What was asked for.
    public enum Call: String, Sendable, CaseIterable {
        /// Delays at bridges.
        case forecast
        /// A table of delays.
        case table
        /// A ranking of routes or of a trip.
        case ranking
        /// A curve of departures.
        case departures
    }

    /// What was asked for.
    public let call: Call
    /// When it was asked.
    public let asked: ContinuousClock.Instant
    /// When its computation began; nil if it was refused before its turn.
    public let began: ContinuousClock.Instant?
    /// When the answer or the error was there.
    public let ended: ContinuousClock.Instant
    /// Why there is no answer; nil if there is one.
    public let error: (any Failure)?

    /// How long it waited for others.
    public var waited: Duration { asked.duration(to: began ?? ended) }
}

/// Times one call, if anybody listens.
final class CallClock: Sendable {
    private let call: InferenceTrace.Call
    private let listener: (@Sendable (InferenceTrace) -> Void)?
    private let asked: ContinuousClock.Instant?
    private let began = Mutex<ContinuousClock.Instant?>(nil)

    init(_ call: InferenceTrace.Call, _ listener: (@Sendable (InferenceTrace) -> Void)?) {
        self.call = call
        self.listener = listener
        asked = listener == nil ? nil : .now
    }

    func begin() {
        if listener != nil { began.withLock { $0 = .now } }
    }

    func report(_ error: (any Failure)?) {
        guard let listener, let asked else { return }
        listener(
            InferenceTrace(
                call: call, asked: asked, began: began.withLock { $0 }, ended: .now,
                error: error))
    }
}
