// How fast cars, bikes and walkers go between stops, with where each number comes from; used by ArcTimes.
// Belongs here: times: speeds, waits at signals and signs, turns, hours of the day; not: what roads there are.
internal import BridgecastCore
internal import BridgecastRoads

/// Running speeds, without stops.
enum RoadSpeeds {
    static let kmhPerMile = 1.609344
    /// Downtown: from Pioneer Square to South Lake Union, with Belltown and First Hill.
    ///
    /// People on foot, buses and loading slow cars down.
    static let downtown = (
        latitudes: 47.5985...47.6250, longitudes: -122.3600 ... -122.3195, share: 0.88
    )
    /// Two-way local streets with cars parked on both sides: one yields to the other.
    ///
    /// Judgement.
    static let narrowShare = 0.88
    /// Streets for residents and their visitors only ('Stay Healthy Streets'), with signs and humps: slow enough
    /// that few ways lead through.
    ///
    /// Judgement.
    static let residentsShare = 0.65
    /// Trunk roads with a limit of 40 mph or more, such as Aurora Avenue by Green Lake: no signals, few junctions.
    ///
    /// At night they are driven faster than signed; by day they have the jams of freeways. Judgement, after the city's
    /// counts of Aurora Avenue beside those of other bridges.
    static let expressway = (limit: 40.0, share: 1.15)
    /// Nothing is slower.
    ///
    /// Judgement.
    static let leastKmh = 12.0
    /// Cobbles and gravel.
    ///
    /// Judgement.
    static let roughKmh = 20.0
    /// Bikes on streets and on trails; pushed; walkers.
    ///
    /// The usual figures of trip planners.
    static let bikeKmh = 16.0
    static let bikeOnTrailKmh = 18.0
    static let walkKmh = 4.8

    /// A class by rank, for waits at junctions: 1 is a local street, 6 a freeway.
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

    /// What is driven where no limit is known, miles per hour (the city's default is 20 and 25), and the share of the
    /// limit that is driven between stops: fitted to published travel times of 2012 to 2016 together with waits.
    private static func usual(_ profile: RoadProfile) -> (limit: Double, share: Double) {
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

    /// Miles per hour: what is signed, or what is usual.
    static func limit(_ profile: RoadProfile) -> Double {
        profile.limit > 0 ? profile.limit : usual(profile).limit
    }

    /// Whether it is driven like a freeway, though it is none.
    static func isExpressway(_ profile: RoadProfile) -> Bool {
        profile.roadClass == .trunk && !profile.isLink && limit(profile) >= expressway.limit
    }

    /// What is driven between stops, as a share of the limit; advice is followed as it is.
    private static func share(_ profile: RoadProfile) -> Double {
        if profile.isAdvised { return 1 }
        return isExpressway(profile) ? expressway.share : usual(profile).share
    }

    /// km/h of cars on a road whose middle is given.
    static func carKmh(_ profile: RoadProfile, middle: GeoPoint) -> Double {
        var speed = limit(profile) * kmhPerMile * share(profile)
        if rank(profile) == 1, profile.isNarrow { speed *= narrowShare }
        switch profile.roadClass {
        case .primary, .secondary, .tertiary: if isDowntown(middle) { speed *= downtown.share }
        default: break
        }
        if profile.isForResidents { speed *= residentsShare }
        if profile.isRough { speed = min(speed, roughKmh) }
        return max(speed, leastKmh)
    }

    static func isDowntown(_ point: GeoPoint) -> Bool {
        downtown.latitudes.contains(point.latitude) && downtown.longitudes.contains(point.longitude)
    }

    static func bikeKmh(_ profile: RoadProfile) -> Double {
        if profile.isPushed { return walkKmh }
        return profile.roadClass == .trail ? bikeOnTrailKmh : bikeKmh
    }
}
