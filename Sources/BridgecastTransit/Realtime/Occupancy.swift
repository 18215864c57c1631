// How full vehicles are, as realtime feeds say it; boards make words of it.

/// How full a vehicle is, `VehiclePosition.OccupancyStatus`; its numbers are no scale.
public enum Occupancy: Int, Sendable, CaseIterable {
    case empty = 0
    case manySeats = 1
    case fewSeats = 2
    case standingRoomOnly = 3
    case crushedStandingRoomOnly = 4
    case full = 5
    case notAcceptingPassengers = 6
    case noDataAvailable = 7
    case notBoardable = 8
}
