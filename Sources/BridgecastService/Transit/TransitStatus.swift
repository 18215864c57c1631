// What became of the timetable's file since the service began; shown by readiness and in answers' sources.
internal import BridgecastAnswers
internal import BridgecastCore

/// How the timetable in use stands.
struct TransitStatus: Sendable, Equatable {
    /// When it was taken over.
    var loadedAt: Timestamp
    /// How often a newer one was taken over after the start.
    var reloads = 0
    /// How often one was refused.
    var refusals = 0
    /// Why the file at its place is not the one in use, without a path; nil if it is.
    var refusal: String?

    /// The timetable among the sources of an answer: it has no age, it is in force or it is not.
    var source: SourceStatus {
        SourceStatus(
            id: "timetable", fetchedAt: loadedAt, ageSeconds: nil, isStale: refusal != nil,
            problem: refusal)
    }
}
