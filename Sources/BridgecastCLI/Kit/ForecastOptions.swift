// Options of forecasts: when, from which states and traffic, by which model.
public import ArgumentParser
package import BridgecastAnswers
package import BridgecastCore
import BridgecastData
public import BridgecastEngine
internal import BridgecastSupport
import Foundation

/// Options of `predict`, `depart`, `bridge` and of the commands of transit.
package struct ForecastOptions: ParsableArguments {
    @Option(
        name: .long,
        help:
            "The time: 18:02, 6:30 pm or 'tomorrow 9:00'; Seattle time such as 2026-02-20T17:50; or RFC 3339. Of a transit feed by its own clock. Default: now."
    )
    package var at: String?

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
            "Measured traffic (CSV or JSON); values older than 15 minutes are not used."
    )
    var trafficFile: String?

    @Option(name: .long, help: "Model file. Default: the shipped one.")
    var model: String?

    package init() {}

    /// Whether no option names a model, store, state or traffic.
    package var isDefault: Bool {
        model == nil && !store.isNamed && live == nil && traffic.isEmpty && trafficFile == nil
    }

    /// The time of `--at`; by default now.
    ///
    /// - Throws: `TimeTextError`, ``CommandFailure``.
    func departure() throws -> Timestamp {
        let now = Timestamp.now
        guard let at else { return now }
        let time = try TimeText.parse(at, now: now)
        try Self.checkReach(time, of: at, option: "--at", now: now)
        return time
    }

    /// The time of `--arrive-by`; a time of day is the next one after a departure.
    ///
    /// - Throws: `TimeTextError`, ``CommandFailure``.
    static func deadline(
        _ text: String, after departure: Timestamp, maxHours: Double
    ) throws -> Timestamp {
        let now = Timestamp.now
        let time = try DeadlineText.deadline(text, after: departure, maxHours: maxHours, now: now)
        try checkReach(time, of: text, option: "--arrive-by", now: now)
        return time
    }

    /// Refuses a time that no forecast reaches, as it was typed: as a timestamp it may be cut to the last one there is.
    private static func checkReach(
        _ time: Timestamp, of text: String, option: String, now: Timestamp
    ) throws {
        guard time.minutes(since: now) > ForecastTable.maxDepartureMinutes else { return }
        let days = Int(ForecastTable.maxDepartureMinutes / 1440)
        throw CommandFailure(
            .usage,
            "\(option): '\(printable(text, maxLength: 60))' is more than \(days) days ahead: choose an earlier time"
        )
    }

    /// A departure and what is known at or before it.
    ///
    /// A departure in the past is forecast from what was known then. Its notes on what is missing are for the caller to
    /// show, with a result: an error comes alone.
    /// - Parameters:
    ///   - given: The departure; by default that of `--at`.
    ///   - issued: The issue time; by default that departure.
    package func context(
        leaving given: Timestamp? = nil, knowing issued: Timestamp? = nil
    ) throws -> ForecastContext {
        let now = Timestamp.now
        let departure = try given ?? self.departure()
        let issueTime = min(now, try issued ?? self.departure(), departure)
        return try ForecastContext(
            departure: departure, issueTime: issueTime, askedAt: now,
            model: try ModelLoading.load(model),
            source: try SituationSource(store, live, at: now),
            traffic: try TrafficText.density(traffic, file: trafficFile, at: issueTime))
    }
}

// MARK: - Traffic

/// Reads `--traffic`.
enum TrafficText {
    /// Densities from `RHO`, `BRIDGE=RHO` and measurements; later ones override earlier ones.
    ///
    /// - Parameter file: Measurements, which options override; those too old at `time` do not count.
    static func density(
        _ texts: [String], file: String?, at time: Timestamp
    ) throws -> TrafficDensity {
        var density = TrafficDensity()
        if let file {
            let measured = try TrafficFile(URL(fileURLWithPath: file))
            remark(measured.problems, on: file)
            var live = LiveTraffic()
            live.add(measured.readings)
            density = live.densities(at: time)
            if density == TrafficDensity() {
                remark(
                    [
                        "every measurement is more than \(Int(LiveTraffic.stalenessMinutes)) minutes older than the issue time, or later: "
                            + "none is used"
                    ], on: file)
            }
        }
        for text in texts {
            let parts = text.split(separator: "=", omittingEmptySubsequences: false)
            let bridges: [BridgeIndex]
            switch parts.count {
            case 1: bridges = BridgeIndex.all
            case 2:
                guard let bridge = BridgeCatalogue.index(named: String(parts[0])) else {
                    throw CommandFailure(.usage, "--traffic \(text): unknown bridge '\(parts[0])'")
                }
                bridges = [bridge]
            default: throw CommandFailure(.usage, "--traffic \(text): write RHO or BRIDGE=RHO")
            }
            let value = String(parts[parts.count - 1])
            guard bridges.allSatisfy({ set(value, for: $0, in: &density) }) else {
                throw CommandFailure(
                    .usage,
                    "--traffic \(text): write a degree of saturation from 0 to below 1, a travel time over "
                        + "the free-flow time such as 95s/60s, or a volume such as 2400vph")
            }
        }
        return density
    }

    private static func set(
        _ text: String, for bridge: BridgeIndex, in density: inout TrafficDensity
    ) -> Bool {
        if text.hasSuffix("vph"), let volume = Double(text.dropLast(3)) {
            return density.set(.volume(vehiclesPerHour: volume), for: bridge)
        }
        let times = text.split(separator: "/", omittingEmptySubsequences: false)
        if times.count == 2 {
            let seconds = times.compactMap { $0.hasSuffix("s") ? Double($0.dropLast()) : nil }
            guard seconds.count == 2 else { return false }
            return density.set(
                .travelTime(seconds: seconds[0], freeFlowSeconds: seconds[1]), for: bridge)
        }
        return Double(text).map { density.set($0, for: bridge) } ?? false
    }
}

extension ComputeUnits: ExpressibleByArgument {}
