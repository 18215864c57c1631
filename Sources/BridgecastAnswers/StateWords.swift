// States and phases by the words that documents and events have for them; used by all of these.
package import BridgecastCore
package import BridgecastObservation

extension SpanState {
    /// `raised`, `lowered` or `unknown`.
    package var word: String {
        switch self {
        case .raised: "raised"
        case .lowered: "lowered"
        case .unknown: "unknown"
        }
    }

    /// Since when the span is up; nil if it is not, or nobody knows.
    package var since: Timestamp? {
        if case .raised(let since) = self { since } else { nil }
    }
}

extension AppPhase {
    /// `idle`, `loading`, `ready`, `stale` or `failed`.
    package var word: String {
        switch self {
        case .idle: "idle"
        case .loading: "loading"
        case .ready: "ready"
        case .stale: "stale"
        case .failed: "failed"
        }
    }
}
