// What a merge of realtime feeds with a timetable comes to; taken over by TransitSnapshot.
// Belongs here: which run is meant, and what its stops are to expect; not: what boards make of it (Departures).
internal import BridgecastCore

/// Realtime feeds set against a timetable.
package struct MergedRealtime: Sendable {
    /// Runs of the timetable, each once.
    package var runs: [LiveRun] = []
    /// By run, the moment from which its stop times count, seconds since 1970.
    package var starts: [Int64] = []
    /// Runs that the timetable does not have.
    package var added: [AddedRun] = []
    /// Vehicles in the order of the feeds.
    package var vehicles: [LiveVehicle] = []
    /// Alerts in the order of the feeds.
    package var alerts: [ServiceAlert] = []
    /// What could not be matched.
    package var notices = FeedNotices()

    /// Nothing heard.
    package init() {}
}
