// Who may use a road in one direction; part of RoadProfile.

/// Modes of travel as a set.
struct RoadModes: OptionSet, Hashable {
    let rawValue: UInt8

    static let car = RoadModes(rawValue: 1)
    static let bike = RoadModes(rawValue: 2)
    static let walk = RoadModes(rawValue: 4)
    static let all: RoadModes = [.car, .bike, .walk]
}
