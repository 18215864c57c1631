// Values of predict's options: traffic densities, ranking weights, and where the situation comes from.
import BridgecastCore
import BridgecastData
import BridgecastStore
import Foundation

/// Reads `--traffic`.
enum TrafficText {
    /// Densities from `RHO`, `BRIDGE=RHO` and measurements, later ones winning.
    ///
    /// - Parameter file: Measurements, which options override; those too old at `moment` do not count.
    static func density(
        _ texts: [String], file: String?, at moment: Timestamp
    ) throws -> TrafficDensity {
        var density = TrafficDensity()
        if let file {
            let measured = try TrafficFile(URL(fileURLWithPath: file))
            for problem in measured.problems { note("bridgecast: note: \(file): \(problem)") }
            var live = LiveTraffic()
            live.add(measured.readings)
            density = live.densities(at: moment)
            if density == TrafficDensity() {
                note(
                    "bridgecast: note: \(file): every measurement is more than 15 minutes older than the "
                        + "issue time, or later: none is used")
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
                    "--traffic \(text): write a degree of saturation in 0 ..< 1, a travel time over "
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

/// Reads `--weights`.
enum WeightsText {
    private static let names = Dictionary(
        uniqueKeysWithValues: RouteCriterion.allCases.map { ($0.name, $0) })

    /// Weights from `name=value,...`; criteria that are not named count nothing.
    static func weights(_ text: String) throws -> RouteWeights {
        var values: [RouteCriterion: Double] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=")
            guard pair.count == 2, let criterion = names[String(pair[0])],
                let value = Double(pair[1])
            else {
                throw CommandFailure(
                    .usage,
                    "--weights: '\(part)' is not one of \(names.keys.sorted().joined(separator: ", "))"
                        + " with a weight, such as expected=1")
            }
            guard values.updateValue(value, forKey: criterion) == nil else {
                throw CommandFailure(.usage, "--weights: \(pair[0]) has two weights")
            }
        }
        return RouteWeights(values)
    }
}

/// Where the situation at issue time comes from.
struct SituationSource {
    private let history: OpeningHistory
    private let live: LiveSnapshot?
    /// For people: which records.
    let name: String

    /// Reads the store (a named one, or the user's if there is one), completed by the shipped records where it
    /// does not cover a bridge, and the live file.
    ///
    /// Without a live file, what `watch` has stored in the last minutes is what is known now.
    init(_ store: StoreOptions, _ liveFile: String?, at now: Timestamp) throws {
        let stated = try liveFile.map { try LiveFile.read(URL(fileURLWithPath: $0)) }
        guard let opened = try store.existingIfAny() else {
            live = stated
            history = try LoadedRecords.shipped().history
            name = "the shipped ones"
            return
        }
        defer { opened.close() }
        history = try LoadedRecords.completing(try opened.history())
        name =
            "those of \(opened.path)" + (ShippedFiles.home() == nil ? "" : " and the shipped ones")
        live =
            try stated
            ?? opened.resumedTracker(at: now, within: Int64(LiveSnapshot.stalenessMinutes * 60))
            .snapshot
    }

    /// What is known at a moment, with notes on what is missing.
    func situation(at issueTime: Timestamp) -> (situation: Situation, notes: [String]) {
        var notes: [String] = []
        var situation = SituationReader(history).situation(at: issueTime)
        if let live {
            if live.isFresh(at: issueTime) {
                situation = situation.applying(live)
            } else {
                notes.append(
                    "the live states are of \(live.asOf.map(TimeText.rfc3339) ?? "?"), more than "
                        + "5 minutes before the issue time or after it: they are not used")
            }
        }
        if situation.bridges.allSatisfy({ $0.state == .unknown }) {
            notes.append(
                "no bridge's state is known at \(TimeText.rfc3339(issueTime)): the records "
                    + "(\(name)) \(newestText(before: issueTime)). The forecast is climatology; "
                    + "run watch or give --live, and sync newer records")
        }
        return (situation, notes)
    }

    private func newestText(before moment: Timestamp) -> String {
        let ends = BridgeIndex.all.compactMap {
            history.coverage.end(of: $0, before: moment)
        }
        guard let newest = ends.max().map(TimeText.rfc3339) else {
            return "hold nothing before that"
        }
        let goOn = history.coverage.periods.contains { $0.contains { $0.lowerBound > moment } }
        return goOn ? "have a gap there, from \(newest) on" : "end \(newest)"
    }
}
