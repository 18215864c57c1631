// Three words for how full a vehicle is, and a fourth; with the colours that go with them.
package import BridgecastTransit

/// How full a vehicle is, as people say it.
package enum OccupancyLevel: Sendable, Hashable, CaseIterable {
    case low, moderate, high, veryCrowded, notBoardable, noData

    /// The level of what a feed says; nothing and "no data available" are both no data.
    package init(_ occupancy: Occupancy?) {
        self =
            switch occupancy {
            case .empty, .manySeats: .low
            case .fewSeats: .moderate
            case .standingRoomOnly, .crushedStandingRoomOnly: .high
            case .full, .notAcceptingPassengers: .veryCrowded
            case .notBoardable: .notBoardable
            case .noDataAvailable, nil: .noData
            }
    }

    /// Such as `Very crowded`.
    package var words: String {
        switch self {
        case .low: "Low"
        case .moderate: "Moderate"
        case .high: "High"
        case .veryCrowded: "Very crowded"
        case .notBoardable: "not boardable"
        case .noData: "no data"
        }
    }

    /// The name of the colour that goes with the words; nil where there is nothing to colour.
    package var colourName: String? {
        switch self {
        case .low: "green"
        case .moderate: "yellow"
        case .high: "orange"
        case .veryCrowded: "red"
        case .notBoardable, .noData: nil
        }
    }
}
