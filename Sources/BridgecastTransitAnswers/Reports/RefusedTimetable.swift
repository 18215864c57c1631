// Why a timetable as a whole was refused, and what was found in it until then, as JSON; printed by `feed check`.
package import BridgecastAnswers
package import BridgecastTransit

/// The report of a static feed that cannot be used.
package struct RefusedTimetable: Sendable, JSONAnswer {
    private let error: TransitFeedError

    /// The report of a refusal.
    package init(_ error: TransitFeedError) { self.error = error }

    /// Where it came from.
    package var name: String { error.path }
    /// Why it was refused.
    package var refusal: String { error.words }
    /// What was found before it was refused.
    package var notices: FeedNotices { error.notices }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("name", name)
            json.field("kind", "timetable")
            json.field("refused", refusal)
            json.notices(notices)
        }
    }
}
