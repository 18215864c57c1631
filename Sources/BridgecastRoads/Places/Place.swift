// Named places, completions of what is typed, and why no place was found.
public import BridgecastCore
public import BridgecastSupport

/// A named place.
public struct Place: Sendable, Equatable {
    /// The kind of a place, for lists and symbols.
    public enum Kind: UInt8, Sendable, CaseIterable {
        case neighbourhood, landmark, station, school, hospital, park, stop
    }

    /// Display name.
    public let name: String
    /// Other names.
    public let aliases: [String]
    /// The kind of place.
    public let kind: Kind
    /// Its coordinates.
    public let point: GeoPoint

    /// Creates a place.
    public init(name: String, aliases: [String] = [], kind: Kind, point: GeoPoint) {
        self.name = name
        self.aliases = aliases
        self.kind = kind
        self.point = point
    }
}

/// A place or a street corner that a typed text may become.
public struct Completion: Sendable, Equatable {
    /// A kind of place, or a street corner.
    public enum Kind: Sendable, Equatable {
        case place(Place.Kind)
        case corner
    }

    /// The whole text, which ``RoadNetwork/anchor(_:for:)-(String,_)`` takes.
    public let name: String
    /// A place or a corner.
    public let kind: Kind
    /// Its coordinates.
    public let point: GeoPoint
}

/// Why a place was not found.
public enum PlaceError: Failure, Equatable {
    /// No place has a name like this.
    case unknown(String, suggestions: [String])
    /// Several places do: all of them, the likeliest first.
    case ambiguous(String, choices: [String])
    /// A street, not a place; some of its corners.
    case street(String, corners: [String])
    /// One of the streets of a corner is not known.
    case unknownStreet(String, street: String, suggestions: [String])
    /// Both streets are known but do not meet; corners of each near the other.
    case noCorner(String, streets: [String], suggestions: [String])
    /// A house number on a known street; some of its corners.
    case houseNumber(String, corners: [String])
    /// Coordinates of no point on Earth; which of the two is wrong.
    case notOnEarth(String, problem: String)
    /// Too far from any road of the network.
    case outOfArea(String, metres: Int)
    /// Latitude and longitude swapped.
    case swapped(String)
    /// On a bridge, where trips cannot start.
    case onBridge(String, bridge: String)
    /// On a motorway or a ramp, where trips cannot start.
    case noStopping(String, road: String)
    /// The network has no road for the mode.
    case noRoads(String)

    /// Wrong usage.
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
            "'\(text)' could be \(Self.list(choices)); choose one"
        case .street(let text, let corners):
            "'\(text)' is a street; give a corner, such as \(corners.joined(separator: " or "))"
        case .unknownStreet(let text, let street, let suggestions):
            "no street '\(street)' for '\(text)'"
                + (suggestions.isEmpty
                    ? "; give two streets that meet, such as '15th Ave NW & NW Market St'"
                    : "; did you mean \(suggestions.joined(separator: " or "))?")
        case .noCorner(let text, let streets, let suggestions):
            "'\(text)': \(streets.joined(separator: " and ")) do not meet"
                + (suggestions.isEmpty
                    ? "" : "; the nearest corners are \(suggestions.joined(separator: " and "))")
        case .houseNumber(let text, let corners):
            "'\(text)': house numbers are not known"
                + (corners.isEmpty
                    ? "; give a corner of the street"
                    : "; give a corner of the street, such as \(corners.joined(separator: " or "))")
        case .notOnEarth(let text, let problem):
            "'\(text)': \(problem); write latitude,longitude such as 47.6686,-122.3762"
        case .outOfArea(let text, let metres):
            "'\(text)' is outside of these roads, \(Self.distance(metres)) from the nearest road"
        case .swapped(let text):
            "'\(text)' has longitude first; write latitude,longitude such as 47.6686,-122.3762"
        case .onBridge(let text, let bridge):
            "'\(text)' is on the \(bridge); choose a place on one side of it"
        case .noStopping(let text, let road):
            "'\(text)' is on \(road), where trips cannot start or end; choose a place next to it"
        case .noRoads(let text): "no road of the network leads to '\(text)' for this mode of travel"
        }
    }

    /// Choices beyond these are only counted.
    private static let maxChoices = 20

    private static func list(_ choices: [String]) -> String {
        let left = choices.count - maxChoices
        return choices.prefix(maxChoices).joined(separator: ", ")
            + (left > 0 ? " or one of \(left) others" : "")
    }

    private static func distance(_ metres: Int) -> String {
        metres >= 10_000 ? "\(metres / 1000) km" : "\(metres) m"
    }
}
