// Whether realtime feeds belong to the timetable at all; a warning of every transit answer.
package import BridgecastTransit

extension TransitSnapshot {
    /// A line for people where the timetable knows none of what realtime feeds speak of: they are of another agency, or it is
    /// of another season.
    package var foreignFeedWarnings: [String] {
        var words: [String] = []
        let strangers = notices.counts.first {
            $0.code == "trip_id_not_in_timetable" && $0.file == "TripUpdate"
        }
        if let strangers, added.isEmpty, live.allSatisfy({ $0.updatedAt == nil }) {
            words.append(
                "the timetable has none of the \(strangers.count) trips of the updates: they are of another agency, or it is out of date"
            )
        }
        if !vehicles.isEmpty, vehicles.allSatisfy({ $0.run == nil && $0.route == nil }) {
            words.append(
                "the timetable has no trip or route of the \(vehicles.count) vehicles: they are of another agency, or it is out of date"
            )
        }
        return words
    }
}
