public import BridgecastCore
public import BridgecastEngine

/// Measures how much is served to more clients than can be.
///
/// Clients ask again at once when they are served, and 10 milliseconds later when they are refused. With shorter waits
/// the cost of the clients' sleeping would be measured.
public struct OverloadBench: Sendable {
    private let inference: TrafficInference
    private let situation: Situation
    private let requests: [ForecastRequest]

    private static let rowsOfRequest = 50
    private static let requestsInFlight = 10
    private static let seconds = 2.0

    /// - Parameter situation: The situation of all requests.
    public init(_ model: LoadedModel, situation: Situation) {
        var options = InferenceOptions()
        options.maxRowsInFlight = Self.rowsOfRequest * Self.requestsInFlight
        inference = TrafficInference(model, options: options)
        self.situation = situation
        requests = (0..<Self.rowsOfRequest).map { number in
            ForecastRequest(
                bridge: BridgeIndex.all[number % BridgeCatalogue.count],
                leadMinutes: Double(number), density: 0.3)
        }
    }

    /// As many clients as can be served, and then 2, 5 and 20 times as many.
    public func run() async throws -> [OverloadResult] {
        var results: [OverloadResult] = []
        for times in [1, 2, 5, 20] { results.append(try await run(times)) }
        return results
    }

    private func run(_ times: Int) async throws -> OverloadResult {
        let end = ContinuousClock.now + .seconds(Self.seconds)
        let clients = try await withThrowingTaskGroup(of: Client.self) { group in
            for _ in 0..<times * Self.requestsInFlight {
                group.addTask { try await client(until: end) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let refusals = clients.flatMap(\.refusals).sorted().map(microseconds)
        return OverloadResult(
            times: times, served: Double(clients.reduce(0) { $0 + $1.served }) / Self.seconds,
            refused: Double(refusals.count) / Self.seconds,
            refusalMicroseconds: percentile(0.5, of: refusals))
    }

    private struct Client {
        var served = 0
        /// Nanoseconds of each.
        var refusals: [UInt64] = []
    }

    private func client(until end: ContinuousClock.Instant) async throws -> Client {
        var client = Client()
        while ContinuousClock.now < end {
            let start = Stopwatch.now()
            do throws(InferenceError) {
                _ = try await inference.forecast(requests, in: situation)
                client.served += 1
            } catch {
                guard case .overloaded = error else { throw error }
                client.refusals.append(Stopwatch.now() - start)
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        return client
    }
}

/// How much was served to a number of clients.
public struct OverloadResult: Sendable, Encodable {
    /// Clients, as a multiple of those whose requests can run at the same time.
    public let times: Int
    /// Requests served a second.
    public let served: Double
    /// Requests refused a second.
    public let refused: Double
    /// Median time of a refusal, microseconds; 0 without any.
    public let refusalMicroseconds: Double
}
