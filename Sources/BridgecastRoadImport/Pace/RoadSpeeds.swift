// Speeds between stops with the source of each number, pace groups, default reluctance.
internal import BridgecastCore
internal import BridgecastRoads
import Foundation

enum RoadSpeeds {
    static let kmhPerMile = 1.609344
    /// Downtown: from Pioneer Square to South Lake Union, with Belltown and First Hill.
    ///
    /// People on foot, buses and loading slow cars down.
    static let downtown = (
        latitudes: 47.5985...47.6250, longitudes: -122.3600 ... -122.3195, share: 0.88
    )
    /// Two-way local streets with cars parked on both sides: cars yield to each other (judgement).
    static let narrowShare = 0.88
    /// 'Stay Healthy Streets' for residents and visitors only, with signs and humps (judgement).
    static let residentsShare = 0.65
    /// Trunk roads with a limit of 40 mph or more, such as Aurora Avenue by Green Lake: no signals, few junctions.
    ///
    /// At night traffic is faster than signed; by day it is congested like freeways. Judgement, after the city's counts
    /// of Aurora Avenue and of other bridges.
    static let expressway = (limit: 40.0, share: 1.15)
    /// Judgement.
    static let minKmh = 12.0
    /// Cobbles and gravel (judgement).
    static let roughKmh = 20.0
    /// Bikes on streets and on trails, and people on foot; common figures of trip planners.
    static let bikeKmh = 16.0
    static let bikeOnTrailKmh = 18.0
    static let walkKmh = 4.8

    /// The rank of a road for delays at junctions: 1 is a local street, 6 a freeway.
    static func rank(_ profile: RoadProfile) -> Int {
        switch (profile.roadClass, profile.isLink) {
        case (.livingStreet, _), (.residential, _), (.unclassified, _): 1
        case (.tertiary, _), (.secondary, true): 2
        case (.secondary, false), (.primary, true), (.trunk, true), (.motorway, true): 3
        case (.primary, false): 4
        case (.trunk, false): 5
        case (.motorway, false): 6
        case (.trail, _), (.footway, _): 0
        }
    }

    /// The speed limit if none is known, miles per hour (the city's default is 20 and 25), and the share of the limit that
    /// is driven between stops: fitted to published travel times of 2012 to 2016 together with delays.
    private static func defaults(_ profile: RoadProfile) -> (limit: Double, share: Double) {
        switch (profile.roadClass, profile.isLink) {
        case (.livingStreet, _): (15, 0.60)
        case (.residential, _): (20, 0.72)
        case (.unclassified, _): (20, 0.75)
        case (.tertiary, true), (.secondary, true): (25, 0.75)
        case (.tertiary, false): (25, 0.90)
        case (.secondary, false): (25, 0.98)
        case (.primary, true): (25, 0.78)
        case (.primary, false): (25, 1.03)
        case (.trunk, true): (30, 0.85)
        case (.trunk, false): (35, 1.03)
        case (.motorway, true): (35, 0.88)
        case (.motorway, false): (50, 1.00)
        case (.trail, _), (.footway, _): (10, 0.60)
        }
    }

    /// The speed limit, or the default, miles per hour.
    static func limit(_ profile: RoadProfile) -> Double {
        profile.limit > 0 ? profile.limit : defaults(profile).limit
    }

    static func isExpressway(_ profile: RoadProfile) -> Bool {
        profile.roadClass == .trunk && !profile.isLink && limit(profile) >= expressway.limit
    }

    /// The speed between stops as a share of the limit; advisory speeds are kept.
    private static func share(_ profile: RoadProfile) -> Double {
        if profile.isAdvised { return 1 }
        return isExpressway(profile) ? expressway.share : defaults(profile).share
    }

    /// - Parameter middle: The middle of the road.
    static func carKmh(_ profile: RoadProfile, middle: GeoPoint) -> Double {
        var speed = limit(profile) * kmhPerMile * share(profile)
        if rank(profile) == 1, profile.isNarrow { speed *= narrowShare }
        switch profile.roadClass {
        case .primary, .secondary, .tertiary: if isDowntown(middle) { speed *= downtown.share }
        default: break
        }
        if profile.isForResidents { speed *= residentsShare }
        if profile.isRough { speed = min(speed, roughKmh) }
        return max(speed, minKmh)
    }

    static func isDowntown(_ point: GeoPoint) -> Bool {
        downtown.latitudes.contains(point.latitude) && downtown.longitudes.contains(point.longitude)
    }

    static func bikeKmh(_ profile: RoadProfile) -> Double {
        if profile.isPushed { return walkKmh }
        return profile.roadClass == .trail ? bikeOnTrailKmh : bikeKmh
    }
}

// MARK: - Pace groups

/// Pace groups by class and by whether roads lead towards the middle of the city.
enum PaceGroups {
    /// The middle of the city: Westlake, 4th Avenue and Pine Street.
    static let middle = GeoPoint(latitude: 47.6117, longitude: -122.3370)
    /// Slower motorways have signals or bends, and the paces of arterials; miles per hour.
    static let freewayLimit = 55.0

    static func group(
        of profile: RoadProfile, hours: RoadProfile.Hours, along line: [GeoPoint]
    ) -> PaceGroup {
        switch hours {
        case .inbound: return .expressInbound
        case .outbound: return .expressOutbound
        case .always: break
        }
        let first = line[0]
        let half = line[line.count / 2]
        let last = line[line.count - 1]
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
        return cosine > 0.5 ? .arterialInbound : cosine < -0.5 ? .arterialOutbound : .arterialAcross
    }
}

// MARK: - Reluctance

extension Reluctance {
    /// The reluctance of imported networks: judgement, in round numbers; the article Roads has the results of others.
    ///
    /// A minute on a local street counts like 1.3 on an arterial: signs of 20 mph, cars parked on both sides, children.
    /// Turning off an arterial into one counts 30 s: drivers do not go around a block to avoid a signal.
    /// By bike a trail counts as its time. Riders in Portland took a route 16 % longer to be on a trail and 11 % longer to
    /// be on a bicycle boulevard; a painted lane made up for the traffic of an arterial, and one with 10,000 cars
    /// a day and no lane seemed 37 % longer than a local street (Broach, Dill and Gliebe, 2012; from memory).
    static let seattle = Reluctance(
        localShare: 0.3, enteringSeconds: 30,
        bike: BikeReluctance(
            local: 0.15, greenway: 0.05, track: 0.05, lane: 0.15, sharrows: 0.25, arterial: 0.35,
            busy: 0.8))
}
