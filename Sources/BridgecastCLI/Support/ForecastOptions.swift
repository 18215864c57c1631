// What every command that forecasts for a traveller asks for: when, from what knowledge, with what weights.
public import ArgumentParser
public import BridgecastCore
import BridgecastData
import BridgecastEngine
import Foundation

/// Options of `predict`, `depart` and `bridge`.
struct ForecastOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "Departure: RFC 3339, or Seattle time such as 2026-02-20T17:50. Default: now.")
    var at: String?

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "Bridge states now: GetBridgeData's reply or our form (JSON).")
    var live: String?

    @Option(
        name: .long,
        help:
            "Degree of saturation, 0 to 1: RHO for all bridges or BRIDGE=RHO; also from a feed: BRIDGE=95s/60s (travel time over free flow) or BRIDGE=2400vph (vehicles an hour, the busier direction); may be repeated. Default: by hour."
    )
    var traffic: [String] = []

    @Option(
        name: .long,
        help:
            "Measured traffic (CSV or JSON, see README); values older than 15 minutes are not used."
    )
    var trafficFile: String?

    @Option(name: .long, help: "Model file. Default: the shipped one.")
    var model: String?

    /// The departure asked for.
    func departure() throws -> Timestamp { try at.map { try TimeText.parse($0) } ?? .now }

    /// A departure, the one asked for unless it is given, and what is known at or before it.
    ///
    /// What is asked for in the past is answered with what was known then.
    func context(leaving given: Timestamp? = nil) throws -> ForecastContext {
        let now = min(Timestamp.now, try departure())
        let departure = try given ?? self.departure()
        let issueTime = min(now, departure)
        return try ForecastContext(
            departure: departure, issueTime: issueTime, model: try ModelLoading.load(model),
            source: try SituationSource(store, live, at: .now),
            traffic: try TrafficText.density(traffic, file: trafficFile, at: issueTime))
    }
}

/// Options of `predict` and `depart` for trips on the network.
struct TripOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "Origin: a neighbourhood or landmark, or latitude,longitude. Needs --to.")
    var from: String?

    @Option(name: .long, help: "Destination, as --from.")
    var to: String?

    @Option(name: .long, help: "How you travel: car, bike or walk.")
    var mode = Route.Mode.car

    @Option(name: .long, help: "Road network (JSON). Default: Seattle's, which is shipped.")
    var network: String?

    func validate() throws {
        guard (from == nil) == (to == nil) else {
            throw ValidationError("--from and --to belong together")
        }
    }

    /// The planner and the trip asked for; nil without --from and --to.
    func trip() throws -> (planner: RoutePlanner, trip: Trip)? {
        guard let from, let to else { return nil }
        let roads: RoadNetwork
        if let network {
            let json = try InputFile(URL(fileURLWithPath: network)).bytes
            do {
                roads = try RoadNetwork(json: Data(json))
            } catch {
                throw CommandFailure(.data, "\(network): \(error)")
            }
        } else {
            roads = .seattle
        }
        let trip = Trip(
            from: try roads.anchor(from, for: mode), to: try roads.anchor(to, for: mode), mode: mode
        )
        return (RoutePlanner(roads), trip)
    }
}

extension Route.Mode: ExpressibleByArgument {}
