// Why no place of the network was found for what somebody typed.

/// Why a place was not found; each says what to do.
public enum PlaceError: Failure, Equatable {
    /// No place has a name like this.
    case unknown(String, suggestions: [String])
    /// Several places do.
    case ambiguous(String, choices: [String])
    /// Too far from any road of the network.
    case outOfArea(String, metres: Int)
    /// Latitude and longitude the wrong way round.
    case swapped(String)
    /// On a bridge, where nobody starts.
    case onBridge(String, bridge: String)

    /// Whose matter it is.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .unknown(let text, let suggestions):
            "unknown place '\(text)'"
                + (suggestions.isEmpty
                    ? "; give a neighbourhood, a landmark or latitude,longitude"
                    : "; did you mean \(suggestions.joined(separator: " or "))?")
        case .ambiguous(let text, let choices):
            "'\(text)' could be \(choices.joined(separator: ", ")); say which"
        case .outOfArea(let text, let metres):
            "'\(text)' is \(Self.distance(metres)) from the nearest road of the network, which is Seattle's"
        case .swapped(let text):
            "'\(text)' has longitude first; write latitude,longitude such as 47.6686,-122.3762"
        case .onBridge(let text, let bridge):
            "'\(text)' lies on the \(bridge); choose a place on one side of it"
        }
    }

    private static func distance(_ metres: Int) -> String {
        metres >= 10_000 ? "\(metres / 1000) km" : "\(metres) m"
    }
}
