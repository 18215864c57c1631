// What is to be said of realtime feeds that do not fit the moment: recorded ones above all; for the commands of transit.
import BridgecastCore
import BridgecastTransit

/// Remarks on a snapshot.
enum SnapshotNotes {
    /// Messages that are so much older than the moment, or newer, are not about it, seconds.
    private static let farSeconds: Int64 = 3600

    /// What is odd about the feeds of a snapshot, for people.
    static func notes(_ snapshot: TransitSnapshot, at now: Timestamp) -> [String] {
        let zone = snapshot.feed.zone
        return snapshot.sources.compactMap { source in
            if let problem = source.problem { return "\(source.id): \(problem)" }
            guard let made = source.feedTimestamp,
                abs(made.secondsSinceEpoch - now.secondsSinceEpoch) > farSeconds
            else { return source.remark.map { "\(source.id): \($0)" } }
            return "\(source.id) is of \(zone.rfc3339(made)), not of the moment shown; "
                + "--at \(zone.rfc3339(made)) shows that one"
        }
    }
}
