// How full a vehicle is, as JSON: the feed's number, and words for it; part of departures and vehicles.
internal import BridgecastAnswers
internal import BridgecastTransit

extension JSONWriter {
    /// Writes four fields into an object that is open; the number is that of GTFS-realtime, 0 to 8, null where nobody says.
    mutating func occupancy(_ occupancy: Occupancy?, _ percentage: Int?) {
        field("occupancy_status", occupancy?.rawValue)
        field("occupancy_percentage", percentage)
        let level = OccupancyLevel(occupancy)
        field("occupancy", level.words)
        field("occupancy_color", level.colourName)
    }
}
