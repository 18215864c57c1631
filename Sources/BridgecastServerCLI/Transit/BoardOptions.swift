// What a board shows: `--minutes`, `--limit`, `--per-direction`, `--route`, `--direction`, `--arrivals`; options of `board`.
import ArgumentParser
import BridgecastCLI
import BridgecastTransit

/// Options of a board.
struct BoardOptions: ParsableArguments {
    @Option(name: .long, help: "Departures in so many minutes, 1 to 2880.")
    var minutes = 120

    @Option(name: .long, help: "At most so many departures.")
    var limit: Int?

    @Option(name: .long, help: "A board for each direction, with at most so many departures each.")
    var perDirection: Int?

    @Option(name: .long, help: "Only this route: its identifier, or its name such as 542.")
    var route: String?

    @Option(name: .long, help: "Only this direction: 0 or 1, as the feed has it.")
    var direction: Int?

    @Flag(name: .long, help: "Show arrivals of trips that end here too.")
    var arrivals = false

    @Option(name: .long, help: "Up to so many seconds late or early is on time, 0 to 3600.")
    var onTime = 180

    /// Longer boards are timetables.
    private static let minutesRange = 1...2880

    func validate() throws {
        guard Self.minutesRange.contains(minutes) else {
            throw ValidationError("--minutes \(minutes) does not lie between 1 and 2880")
        }
        guard limit.map({ $0 > 0 }) ?? true, perDirection.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--limit and --per-direction must be above zero")
        }
        guard direction.map({ (0...1).contains($0) }) ?? true else {
            throw ValidationError("--direction is 0 or 1")
        }
        guard (0...3600).contains(onTime) else {
            throw ValidationError("--on-time \(onTime) does not lie between 0 and 3600")
        }
    }

    /// What is asked for.
    ///
    /// - Throws: ``CommandFailure`` if the feed has no such route.
    func query(in names: FeedNames) throws -> BoardQuery {
        var query = BoardQuery()
        query.horizonSeconds = minutes * 60
        (query.limit, query.limitPerDirection) = (limit, perDirection)
        (query.direction, query.includesArrivals) = (direction, arrivals)
        query.route = try route.map { try names.route($0) }
        query.onTimeSeconds = onTime
        return query
    }
}
