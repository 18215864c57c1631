// What is missing of realtime, in words for people; part of every transit answer's envelope.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastTransit
internal import BridgecastTransitAnswers

enum TransitWarnings {
    /// A line for each realtime feed that fails, has not said anything new for too long, or is odd.
    static func words(_ snapshot: TransitSnapshot, at now: Timestamp) -> [String] {
        snapshot.sources.compactMap { source in
            let status = SourceStatus(source, at: now)
            let age = status.ageSeconds.map(words)
            guard let problem = status.problem else {
                return status.isStale
                    ? "\(source.id): what it says is \(age ?? "0 min") old; times may be wrong"
                    : source.remark.map { "\(source.id): \($0)" }
            }
            guard let age, source.fetchedAt != nil else {
                return "\(source.id): \(problem); nothing is known from it"
            }
            return "\(source.id): \(problem); what it said \(age) ago is still shown"
        }
    }

    /// An age: minutes below two hours, hours below two days, then days.
    private static func words(_ seconds: Double) -> String {
        let minutes = Int(seconds / 60)
        if minutes < 120 { return "\(minutes) min" }
        return minutes < 2880 ? "\(minutes / 60) h" : "\(minutes / 1440) days"
    }
}
