// How far to trust what a board says, in four words with their colours.

/// How far to trust a departure.
///
/// - HIGH: the vehicle was seen in the last 90 s and there is a trip update that is no older than 5 min, by its own word or
///   else its feed's.
/// - MEDIUM: a trip update alone, or an older one, or the vehicle was seen in the last 5 min.
/// - LOW: the timetable, moved by how late this route has been at this hour; or a trip update that nobody has renewed for
///   15 min.
/// - NONE: the timetable alone.
public enum DepartureConfidence: String, Sendable, CaseIterable {
    case high = "HIGH"
    case medium = "MEDIUM"
    case low = "LOW"
    case none = "NONE"

    /// The name of the colour that goes with the word.
    public var colourName: String {
        switch self {
        case .high: "green"
        case .medium: "orange"
        case .low: "red"
        case .none: "grey"
        }
    }

    /// A vehicle that was seen at most so many seconds ago makes it HIGH, with a trip update that is new.
    ///
    /// So much may a feed's clock be ahead, too.
    package static let highSeconds: Int64 = 90
    /// A trip update that is at most so many seconds old is new.
    package static let newUpdateSeconds: Int64 = 300
    /// A vehicle that was seen at most so many seconds ago makes it MEDIUM.
    package static let mediumSeconds: Int64 = 300
    /// A trip update that is older than so many seconds is trusted no more than the route's usual lateness.
    package static let oldUpdateSeconds: Int64 = 900
}
