// What room a road gives bikes in each direction, by its tags; used by WayRules.
internal import BridgecastRoads

extension RoadProfile {
    /// Sets the room for bikes of the directions that are open to them.
    ///
    /// - Parameter travel: Where cars may go.
    mutating func setBikeRoom(_ tags: WayTags, _ travel: CyclewayTags.Travel) {
        guard roadClass != .trail, roadClass != .footway else { return }
        let rooms = tags.cycleways.rooms(
            travel: travel, isOpenAgainst: tags.onewayBicycle == "no")
        func room(_ found: BikeRoom, _ direction: Direction) -> BikeRoom {
            guard direction.modes.contains(.bike) else { return .none }
            if found == .lane || found == .track { return found }
            if isForResidents { return .greenway }
            guard found == .sharrows || tags.cycleways.isSignedRoute else { return .none }
            // On local streets sharrows and signs mark greenways.
            return isLocal ? .greenway : .sharrows
        }
        forward.bikeRoom = room(rooms.forward, forward)
        backward.bikeRoom = room(rooms.backward, backward)
    }
}
