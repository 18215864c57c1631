// What readers of realtime feeds share: limits, moments from numbers, and notes of what is odd.
internal import BridgecastCore

/// A message while it is read.
struct RealtimeIntake {
    /// Bytes of a message, packed or not.
    static let mostBytes = 64 << 20
    /// Entities of a message; the largest of feeds have a tenth of it.
    static let mostEntities = 250_000
    /// Entities, stops of trips, periods and texts together.
    static let mostParts = 1_000_000

    /// What is odd so far.
    var notices = FeedNotices()
    /// What is under way.
    var subject = Subject.header
    private var parts = 0

    /// What a notice is about; made words of only if it is kept.
    enum Subject {
        case header
        /// An entity by its place, from 1, and its identifier.
        case entity(Int, String)
        /// Something of a OneBusAway reply, such as `trip`, and its identifier.
        case item(StaticString, String)

        /// For people.
        var words: String {
            switch self {
            case .header: "header"
            case .entity(let number, ""): "entity \(number)"
            case .entity(let number, let id): "entity \(number) ('\(printable(id, most: 40))')"
            case .item(let kind, let id): "\(kind) '\(printable(id, most: 40))'"
            }
        }
    }

    /// Counts things that take memory.
    ///
    /// - Throws: `DocumentProblem` if they are more than any feed has.
    mutating func count(_ more: Int) throws(DocumentProblem) {
        parts += more
        guard parts <= Self.mostParts else {
            throw DocumentProblem(
                subject.words,
                "more than \(Self.mostParts) stops, periods and texts: no feed has as many")
        }
    }

    /// A moment from a number of seconds; nil for 0 and less, which feeds write for none.
    ///
    /// Numbers too large for seconds are taken as milliseconds or microseconds, and noted.
    mutating func moment(_ number: Int64, _ field: String) -> Timestamp? {
        guard number > 0 else {
            note(.info, "timestamp_not_positive", field, "\(number) is no moment; taken as none")
            return nil
        }
        guard number > Self.largestSeconds else { return Timestamp(secondsSinceEpoch: number) }
        guard number < Self.endOfTime else { return .latest }
        let seconds = number / (number < Self.largestSeconds * 1000 ? 1000 : 1_000_000)
        note(
            .warning, "timestamp_not_in_seconds", field,
            "\(number) is not in seconds; taken as \(seconds)")
        return Timestamp(secondsSinceEpoch: seconds)
    }

    /// A moment from an unsigned number.
    mutating func moment(_ number: UInt64, _ field: String) -> Timestamp? {
        moment(Int64(clamping: number), field)
    }

    /// Notes something about the entity under way.
    mutating func note(
        _ severity: FeedNotice.Severity, _ code: String, _ field: String,
        _ message: @autoclosure () -> String
    ) {
        let subject = subject
        notices.add(severity, code, field: field, "\(subject.words): \(message())")
    }

    /// Year 10209; the same number of milliseconds is in 1978.
    private static let largestSeconds: Int64 = 260_000_000_000
    /// Where feeds write the largest number that there is for an end that is open.
    private static let endOfTime: Int64 = 100_000_000_000_000_000
}
