// The forecast that the models show, and when it is too old; LiveService asks it before it makes another.
internal import Bridgecast

/// What is shown, and whether the live states behind it still count.
struct ShownForecast: Sendable {
    /// The forecast; nil before the first.
    private(set) var update: LiveUpdate?
    /// Whether it is shown as one without live states, because the last reading is too old.
    private(set) var isStale = false

    /// Forecasts age: a new one is made at least this often, seconds.
    static let longestSeconds: Int64 = 60

    /// Takes a forecast over.
    mutating func show(_ update: LiveUpdate) { self.update = update }

    /// Takes over whether live states count.
    ///
    /// - Returns: Whether that is a change.
    mutating func turn(isStale: Bool) -> Bool {
        defer { self.isStale = isStale }
        return isStale != self.isStale
    }

    /// Whether the forecast is too old at a moment, or there is none.
    func isDue(at now: Timestamp) -> Bool {
        guard let update else { return true }
        return now.secondsSinceEpoch - update.issueTime.secondsSinceEpoch >= Self.longestSeconds
    }

    /// Whether the forecast is of a time after a moment: a clock was set back.
    func isAhead(of now: Timestamp) -> Bool { update.map { now < $0.issueTime } ?? false }

    /// Bridges whose state was known in the forecast that was shown and is not in a newer one.
    static func lost(
        _ before: LiveUpdate?, _ after: LiveUpdate, at now: Timestamp
    ) -> [BridgeChange] {
        guard let before else { return [] }
        return BridgeIndex.all.compactMap { bridge in
            let (old, new) = (before.situation[bridge].state, after.situation[bridge].state)
            guard old != .unknown, new == .unknown else { return nil }
            return BridgeChange(bridge: bridge, at: now, before: old, after: new)
        }
    }
}
