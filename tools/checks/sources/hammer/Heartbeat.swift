// How late a host's own task wakes beside long computations.
import Bridgecast
import Foundation

/// A task that sleeps 2 ms again and again, beside computations of each kind.
struct Heartbeat: Sendable {
    let inference: TrafficInference
    let planner: RoutePlanner
    let trip: Trip
    let situation: Situation

    /// The computations, and how late the task woke at most, milliseconds.
    struct Beat: Sendable {
        let name: String
        let maxLateMilliseconds: Double
        let seconds: Double
    }

    init(_ inference: TrafficInference, roads: URL) throws {
        self.inference = inference
        let network = try RoadNetwork(contentsOf: roads)
        planner = RoutePlanner(network)
        trip = Trip(
            from: try network.anchor("Ballard", for: .car),
            to: try network.anchor("Capitol Hill", for: .car), mode: .car)
        situation = .unknown(at: Timestamp(secondsSinceEpoch: 1_771_639_320))
    }

    func measure() async throws -> [Beat] {
        let (inference, planner, trip, situation) = (inference, planner, trip, situation)
        let start = situation.issueTime
        let day = DepartureWindow(from: start, until: start.adding(minutes: 1440))
        return [
            try await beat("10 curves of 24 h", 10) {
                _ = try await inference.departures(of: trip, by: planner, day, in: situation)
            },
            try await beat("200 trips at once", 200) {
                _ = try await inference.rank(trip, by: planner, leaving: start, in: situation)
            },
            try await beat("4 tables of 48 days", 4) {
                _ = try await inference.table(in: situation, reaching: 48 * 1440)
            },
        ]
    }

    /// Trips ranked at once, a second, on the executor as a share of those on the host's own threads; by turns.
    func throughput() async throws -> Double {
        var options = inference.options
        options.executor = nil
        let onHost = TrafficInference(inference.model, options: options)
        var seconds = [0.0, 0.0]
        for turn in 0..<6 {
            let inference = turn % 2 == 0 ? onHost : inference
            let (planner, trip, situation) = (planner, trip, situation)
            let work = { @Sendable in
                _ = try await inference.rank(
                    trip, by: planner, leaving: situation.issueTime, in: situation)
            }
            seconds[turn % 2] += try await beat("trips", 300, work).seconds
        }
        return seconds[0] / seconds[1]
    }

    private func beat(
        _ name: String, _ count: Int, _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> Beat {
        let began = ContinuousClock.now
        let heart = Task {
            var latest = 0.0
            while !Task.isCancelled {
                let due = ContinuousClock.now + .milliseconds(2)
                try? await Task.sleep(until: due, clock: .continuous)
                if Task.isCancelled { break }
                latest = max(latest, due.microsecondsAgo / 1_000)
            }
            return latest
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { try await work() } }
            try await group.waitForAll()
        }
        heart.cancel()
        return Beat(
            name: name, maxLateMilliseconds: await heart.value, seconds: began.microsecondsAgo / 1e6
        )
    }
}
