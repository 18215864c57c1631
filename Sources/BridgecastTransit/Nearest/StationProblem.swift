// Why there is no board of the nearest station, and what to do about it; for apps, widgets and the service.
public import BridgecastCore

/// A reason why there is no board of the nearest station.
public enum StationProblem: Failure, Equatable {
    /// Nobody has said yet where one is.
    case noLocation
    /// Where one was is too long ago: seconds.
    case cacheStale(ageSeconds: Int)
    /// No station is so near: metres.
    case noStation(withinMetres: Double)
    /// The station is known, and nothing leaves there; why, if the timetable says.
    case noData(reason: String?)
    /// The realtime feed could not be had, and nothing is left of before; why.
    case apiError(String)

    /// Its name in replies, such as `cacheStale`.
    public var code: String {
        switch self {
        case .noLocation: "noLocation"
        case .cacheStale: "cacheStale"
        case .noStation: "noStation"
        case .noData: "noData"
        case .apiError: "apiError"
        }
    }

    /// Whose matter it is.
    public var kind: FailureKind {
        switch self {
        case .noLocation, .cacheStale: .usage
        case .noStation, .noData: .missing
        case .apiError: .unavailable
        }
    }

    /// What is wrong.
    public var description: String {
        switch self {
        case .noLocation: "where you are is not known"
        case .cacheStale(let age) where age < 0:
            "where you are was noted at a time that is still to come"
        case .cacheStale(let age):
            "where you are was found \(age / 60) min ago; you may be somewhere else by now"
        case .noStation(let metres):
            "there is no station of this timetable within \(Self.distance(metres))"
        case .noData(let reason):
            "nothing leaves there" + (reason.map { ": " + printable($0, most: 200) } ?? "")
        case .apiError(let problem):
            "the realtime feed could not be had: " + printable(problem, most: 200)
        }
    }

    /// What to do about it.
    public var recovery: String {
        switch self {
        case .noLocation: "let the app know where you are, or choose a station"
        case .cacheStale: "open the app, so that it finds out where you are, or choose a station"
        case .noStation: "look further away, or choose a station"
        case .noData: "look again later, or choose another station"
        case .apiError: "the timetable still holds; look again in a minute"
        }
    }

    private static func distance(_ metres: Double) -> String {
        guard (0..<1e9).contains(metres) else { return "reach" }
        return metres < 1000 ? "\(Int(metres)) m" : "\(Int((metres / 1000).rounded(.up))) km"
    }
}
