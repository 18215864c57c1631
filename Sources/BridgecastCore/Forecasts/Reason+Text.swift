// Reasons in English: the one place where the words are made; behind `text` of every answer.

extension Reason {
    /// The reason in words that a driver understands.
    public var text: String {
        switch self {
        case .raised(let bridge): "\(bridge) is raised now"
        case .raisedFor(let bridge, let minutes):
            minutes == 0
                ? "\(bridge) has just been raised" : "\(bridge) has been raised for \(minutes) min"
        case .raisedLong(_, _, let share):
            "of openings like this \(min(99, Int((share * 100).rounded()))) in 100 do not last so long"
        case .loweredRecently(let bridge, let ago): "\(bridge) was lowered \(Self.ago(ago))"
        case .convoy(let convoy):
            "\(convoy.neighbour) went up \(Self.ago(convoy.minutesAgo)); boats usually reach "
                + "\(convoy.bridge) in \(convoy.leastMinutes) to \(convoy.mostMinutes)"
        case .convoyInOrder(_, let beyond, let ago):
            "\(beyond) went up before, \(Self.ago(ago)): boats come from bridge to bridge"
        case .neighbourOften(_, let neighbour, let openings, let minutes):
            "\(neighbour) went up \(openings) times in the last \(minutes) min"
        case .closedWindow(_, let end): "closed to smaller boats until \(TimeText.clock(end))"
        case .windowEnded(_, let end): "boats that waited may go from \(TimeText.clock(end)) on"
        case .halfHourOnly: "opens only on the hour and half-hour then"
        case .longOpenings(_, let last, let usual):
            "its openings have lasted \(last) min lately, usually \(usual)"
        case .busyDay(_, let openings, let usual):
            "a busy day: \(openings) openings where \(usual) \(usual == 1 ? "is" : "are") usual by now"
        case .quietDay(_, let openings, let usual):
            "a quiet day: \(openings == 0 ? "no" : "\(openings)") opening\(openings == 1 ? "" : "s") "
                + "where \(usual) \(usual == 1 ? "is" : "are") usual by now"
        case .downNow(let bridge, let probability):
            "\(bridge) is down now; at this hour it is usually up \(Self.times(probability))"
        case .downLately(let bridge, let ago):
            "\(bridge) came down \(Self.ago(ago)) and seldom goes up again so soon"
        case .downLong(_, let hours): "no opening in the last \(hours) h"
        case .overUsual(_, let probability):
            "more likely than usual for the hour (up \(Self.times(probability))), by all that is known"
        case .underUsual(_, let probability):
            "less likely than usual for the hour (up \(Self.times(probability))), by all that is known"
        case .usual(_, let probability): Self.usual(probability)
        case .stateUnknown(_, let probability):
            Self.usual(probability) + "; its state now is not known"
        }
    }

    private static func ago(_ minutes: Int) -> String {
        minutes == 0 ? "just now" : "\(minutes) min ago"
    }

    private static func usual(_ probability: Double) -> String {
        "usual for the hour: up \(times(probability))"
    }

    /// As "5 in 100 times".
    private static func times(_ probability: Double) -> String {
        // As precise as climatology is kept.
        let perMille = Int((Float(probability) * 1000).rounded())
        return perMille >= 10
            ? "\((perMille + 5) / 10) in 100 times" : "\(max(perMille, 1)) in 1000 times"
    }
}
