// Which roads slow down together: by class, and by whether they lead towards the middle of the city; used by ArcTimes.
internal import BridgecastCore
internal import BridgecastRoads
import Foundation

/// Sorts directed pieces of road into groups.
enum PaceGroups {
    /// Westlake, 4th Avenue and Pine Street.
    static let middle = GeoPoint(latitude: 47.6117, longitude: -122.3370)
    /// Slower motorways have signals or bends, and the hours of arterials; miles per hour.
    static let freewayLimit = 55.0

    /// The group of a road in the direction of a line of points.
    static func group(
        _ profile: RoadProfile, _ hours: RoadProfile.Hours, _ line: [GeoPoint]
    ) -> PaceGroup {
        switch hours {
        case .inbound: return .expressInbound
        case .outbound: return .expressOutbound
        case .always: break
        }
        let (first, half, last) = (line[0], line[line.count / 2], line[line.count - 1])
        let angle = Bearings.turn(
            Bearings.bearing(first, first == last ? half : last), Bearings.bearing(half, middle))
        let cosine = cos(angle * .pi / 180)
        let isFreeway =
            profile.roadClass == .motorway && !profile.isLink
            && RoadSpeeds.limit(profile) >= freewayLimit
        if isFreeway || RoadSpeeds.isExpressway(profile) {
            return cosine >= 0 ? .freewayInbound : .freewayOutbound
        }
        if RoadSpeeds.rank(profile) <= 1 { return .local }
        return cosine > 0.5
            ? .arterialInbound : cosine < -0.5 ? .arterialOutbound : .arterialAcross
    }
}
