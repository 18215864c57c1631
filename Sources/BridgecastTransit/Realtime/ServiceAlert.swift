// What riders should know, as a realtime feed has it; raised bridges are told so too.
public import BridgecastCore

/// What riders should know: an alert.
public struct ServiceAlert: Sendable, Equatable {
    /// When it is to be shown; without any, always.
    public var activePeriods: [Period] = []
    /// Whom it is for; one of them is enough.
    public var informed: [Selector] = []
    /// `Alert.Cause`, 1 to 12.
    public var cause: Int?
    /// `Alert.Effect`, 1 to 11.
    public var effect: Int?
    /// `Alert.SeverityLevel`, 1 to 4.
    public var severity: Int?
    /// What it is about in a line, in each language.
    public var header: [Translation] = []
    /// All that there is to say, in each language.
    public var description: [Translation] = []
    /// Where more is to be read, in each language.
    public var url: [Translation] = []

    package init() {}

    /// A stretch of time; a missing end is open.
    public struct Period: Sendable, Hashable {
        /// From when, and until when; nil where it is open.
        public var start, end: Timestamp?

        package init(start: Timestamp?, end: Timestamp?) { (self.start, self.end) = (start, end) }
    }

    /// Whom an alert is for; all that is set must fit.
    public struct Selector: Sendable, Hashable {
        /// Identifiers of the timetable.
        public var agencyID, routeID, stopID: String?
        /// route_type, and direction_id, 0 or 1.
        public var routeType, direction: Int?
        /// A trip of the timetable.
        public var trip: TripSelector?

        package init() {}
    }

    /// A text in a language.
    public struct Translation: Sendable, Hashable {
        /// The text, and the language as BCP 47 has it, such as `en`; empty where the feed names none.
        public var text, language: String

        package init(_ text: String, language: String) {
            (self.text, self.language) = (text, language)
        }
    }
}
