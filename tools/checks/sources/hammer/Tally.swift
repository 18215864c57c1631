// How the hammer counts what came of its requests.
internal import BridgecastRouting
import Bridgecast
import Foundation

/// How requests and reloads ended.
struct Tally: Sendable {
    /// Right answers, A's where the models agree; answers of neither; reloads done and refused.
    var (ofA, ofB, wrong, cancelled, refused, reloads, badReloads) = (0, 0, 0, 0, 0, 0, 0)
    /// What single forecasts took, and what the first refusals of each client did, microseconds.
    var (latencies, refusals): ([Double], [Double]) = ([], [])
    /// What must not happen, the first few.
    private(set) var problems: [String] = []

    mutating func count(
        _ result: Result<Answer, any Error>, to question: Question, isCancelled: Bool = false
    ) {
        switch result {
        case .success(let answer) where answer == question.a: ofA += 1
        case .success(let answer) where answer == question.b: ofB += 1
        case .success:
            wrong += 1
            note("the answer of no model to \(question.summary)")
        case .failure(InferenceError.cancelled) where isCancelled,
            .failure(RankingError.forecast(.cancelled)) where isCancelled:
            cancelled += 1
        case .failure(let error): note("\(question.summary) ended with: \(error)")
        }
    }

    mutating func note(_ problem: String) { if problems.count < 5 { problems.append(problem) } }

    static func += (sum: inout Tally, other: Tally) {
        for count in [\Tally.ofA, \.ofB, \.wrong, \.cancelled, \.refused, \.reloads, \.badReloads] {
            sum[keyPath: count] += other[keyPath: count]
        }
        sum.latencies += other.latencies
        sum.refusals += other.refusals
        other.problems.forEach { sum.note($0) }
    }

    /// Runs so many tasks and adds up how their requests ended.
    static func of(_ tasks: Int, _ body: @escaping @Sendable (Int) async -> Tally) async -> Tally {
        await withTaskGroup(of: Tally.self) { group in
            for task in 0..<tasks { group.addTask { await body(task) } }
            var sum = Tally()
            for await one in group { sum += one }
            return sum
        }
    }
}

extension [Double] {
    /// The number that such a part of all does not exceed.
    func quantile(_ part: Double) -> Double {
        isEmpty ? .nan : sorted()[Int(Double(count - 1) * part)]
    }

    var latencyText: String {
        let (p50, p99) = (quantile(0.5), quantile(0.99))
        return String(
            format: "p50 %.0f us, p99 %.0f us, p99/p50 %.1f, of %d", p50, p99, p99 / p50, count)
    }
}

extension ContinuousClock.Instant {
    var microsecondsAgo: Double { (.now - self) / .microseconds(1) }
}
