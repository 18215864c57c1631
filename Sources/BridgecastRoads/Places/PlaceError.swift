// Why no place of the network was found for what somebody typed.
public import BridgecastCore

/// Why a place was not found; each says what to do.
public enum PlaceError: Failure, Equatable {
    /// No place has a name like this.
    case unknown(String, suggestions: [String])
    /// Several places do.
    case ambiguous(String, choices: [String])
    /// A street, which is no place: some of its corners.
    case street(String, corners: [String])
    /// One of the streets of a corner is not known.
    case unknownStreet(String, street: String, suggestions: [String])
    /// Both streets are, and do not meet; corners of the one near the other.
    case noCorner(String, streets: [String], suggestions: [String])
    /// Too far from any road of the network.
    case outOfArea(String, metres: Int)
    /// Latitude and longitude the wrong way round.
    case swapped(String)
    /// On a bridge, where nobody starts.
    case onBridge(String, bridge: String)

    /// On a motorway or a ramp, where nobody starts.
    case noStopping(String, road: String)
    /// The network has no road for the mode.
    case noRoads(String)

    /// Whose matter it is.
    public var kind: FailureKind { .usage }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .unknown(let text, let suggestions):
            "unknown place '\(text)'"
                + (suggestions.isEmpty
                    ? "; give a neighbourhood, a landmark, a street corner or latitude,longitude"
                    : "; did you mean \(suggestions.joined(separator: " or "))?")
        case .ambiguous(let text, let choices):
            "'\(text)' could be \(choices.joined(separator: ", ")); say which"
        case .street(let text, let corners):
            "'\(text)' is a street; say at which corner, such as \(corners.joined(separator: " or "))"
        case .unknownStreet(let text, let street, let suggestions):
            "no street '\(street)' for '\(text)'"
                + (suggestions.isEmpty
                    ? "; give two streets that meet, such as '15th Ave NW & NW Market St'"
                    : "; did you mean \(suggestions.joined(separator: " or "))?")
        case .noCorner(let text, let streets, let suggestions):
            "'\(text)': \(streets.joined(separator: " and ")) do not meet"
                + (suggestions.isEmpty
                    ? "" : "; the nearest corners are \(suggestions.joined(separator: " and "))")
        case .outOfArea(let text, let metres):
            "'\(text)' is \(Self.distance(metres)) from the nearest road of the network"
        case .swapped(let text):
            "'\(text)' has longitude first; write latitude,longitude such as 47.6686,-122.3762"
        case .onBridge(let text, let bridge):
            "'\(text)' lies on the \(bridge); choose a place on one side of it"
        case .noStopping(let text, let road):
            "'\(text)' lies on \(road), where nobody stops; choose a place beside it"
        case .noRoads(let text):
            "no road of the network leads to '\(text)' for this way of travel"
        }
    }

    private static func distance(_ metres: Int) -> String {
        metres >= 10_000 ? "\(metres / 1000) km" : "\(metres) m"
    }
}
