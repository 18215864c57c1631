// What a board's phase means for its forecasts, in words; among the warnings of envelopes.
private import BridgecastCore
package import BridgecastObservation

extension AppPhase {
    /// What is missing of what forecasts could rest on, for people.
    package var warnings: [String] {
        switch self {
        case .idle, .loading, .ready: []
        case .stale(let since):
            [
                "the live states are of \(TimeText.rfc3339(since)), too old to be used: forecasts rest on the records"
            ]
        case .failed: ["there are no live states: forecasts rest on the records"]
        }
    }
}
