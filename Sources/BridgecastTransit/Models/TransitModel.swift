// What the models of lines and boards share: how a poller feeds them, and whether what they show is current.
public import BridgecastCore

/// An observable model that a ``TransitPoller`` feeds, on the main actor.
///
/// A property is written only if its value changes, so that its observers are notified of changes alone. Models may share a
/// poller: one is started, the others follow.
@MainActor public protocol TransitModel: AnyObject, Sendable {
    /// What it shows; its indices are those of ``TransitSnapshot/feed``.
    var snapshot: TransitSnapshot { get }
    /// The time for which it shows that; changes with every update, unlike the other properties.
    var now: Timestamp { get }
    /// Whether what it shows is current.
    var phase: TransitPhase { get }
    /// What is wrong now, with text for people; nil if nothing is. What was shown before a feed failed stays, and ages.
    var problem: StationProblem? { get }
    /// The drawbridges that may hold vehicles, from the next update on; nil to ignore bridges.
    var bridges: TransitBridges? { get set }
    /// The tasks of ``start(_:everySeconds:)``.
    var updates: TransitUpdates { get }

    /// Shows a newer snapshot, as of a time.
    func show(_ snapshot: TransitSnapshot, at now: Timestamp)
    /// Lets time pass: vehicles move, departures leave, content ages.
    func update(at now: Timestamp)
}

extension TransitModel {
    /// Polls the feeds and shows what comes of them, until ``stop()`` or the end of the model.
    ///
    /// - Parameter everySeconds: The interval between updates without news, by the poller's clock; at least 0.02.
    public func start(_ poller: TransitPoller, everySeconds: Double = 1) {
        updates.start(self, poller, everySeconds: everySeconds)
    }

    /// Ends polling and updates; what is shown stays.
    public func stop() { updates.stop() }

    /// Shows what a poller publishes, which others run, until the task is cancelled.
    public func follow(_ poller: TransitPoller) async {
        for await news in poller.news() { show(news.snapshot, at: poller.clock.now) }
    }

    /// The age of what realtime feeds contribute, seconds: that of the oldest feed; nil if none has answered.
    public func ageSeconds(at time: Timestamp) -> Int? {
        snapshot.oldestContent(at: time).map {
            Int(time.secondsSinceEpoch - $0.secondsSinceEpoch)
        }
    }
}

/// Keeps a started model up to date.
@MainActor public final class TransitUpdates {
    private var tasks: [Task<Void, any Error>] = []

    /// Not started.
    public init() {}

    /// Whether it is started.
    public var isRunning: Bool { !tasks.isEmpty }

    /// The minimum interval between updates, seconds.
    private static let minSeconds = 0.02

    /// Starts, after what was started before is ended; the model is not kept alive.
    func start(_ model: some TransitModel, _ poller: TransitPoller, everySeconds: Double) {
        stop()
        let clock = poller.clock
        let news = poller.news()
        let seconds = max(Self.minSeconds, everySeconds)
        tasks = [
            Task { try await poller.run() },
            Task { [weak model] in
                for await news in news { model?.show(news.snapshot, at: clock.now) }
            },
            Task { [weak model] in
                while true {
                    try await clock.sleep(seconds: seconds)
                    model?.update(at: clock.now)
                }
            },
        ]
    }

    func stop() {
        for task in tasks { task.cancel() }
        tasks = []
    }

    deinit { for task in tasks { task.cancel() } }
}

/// Assigns a value to an observed property if it differs: whether a setter compares depends on the compiler's macro.
@MainActor func assign<Model: AnyObject, Value: Equatable>(
    _ value: Value, to property: ReferenceWritableKeyPath<Model, Value>, of model: Model
) {
    if model[keyPath: property] != value { model[keyPath: property] = value }
}
