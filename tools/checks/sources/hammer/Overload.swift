// More clients than the limit admits.
import Bridgecast
import Foundation

/// Requests of 50 rows by more clients than the limit admits.
struct Overload: Sendable {
    static let (rows, limit) = (50, 500)
    static let admitted = limit / rows

    /// So many times the clients that are admitted.
    ///
    /// Where the rest only pauses it costs what the pauses of those refused cost, but asks for nothing: what
    /// is served then is what this machine can.
    struct Level {
        let times: Int
        var restOnlyPauses = false
        var tally = Tally()
    }

    let inference: TrafficInference
    let questions: [Question]

    /// Takes the levels in turn, three times, so that what else the machine does falls on all.
    func measure(seconds: Double) async -> [Level] {
        var levels =
            [1, 2, 5, 20].map { Level(times: $0) } + [Level(times: 20, restOnlyPauses: true)]
        let span = Duration.seconds(seconds / Double(3 * levels.count))
        for turn in 0..<3 * levels.count {
            let level = levels[turn % levels.count], end = ContinuousClock.now + span
            levels[turn % levels.count].tally += await .of(level.times * Self.admitted) { client in
                let onlyPauses = level.restOnlyPauses && client >= Self.admitted
                return await ask(client, onlyPauses, until: end)
            }
        }
        return levels
    }

    /// Asks as fast as it is answered; what is refused is asked again after 1 ms.
    private func ask(
        _ client: Int, _ onlyPauses: Bool, until end: ContinuousClock.Instant
    ) async -> Tally {
        var (tally, number) = (Tally(), client)
        while ContinuousClock.now < end {
            let question = questions[number % questions.count]
            let start = ContinuousClock.now
            let answer = onlyPauses ? nil : await question.ask(inference)
            switch answer {
            case nil: try? await Task.sleep(for: .milliseconds(1))
            case .failure(InferenceError.overloaded):
                if tally.refusals.count < 100 { tally.refusals.append(start.microsecondsAgo) }
                tally.refused += 1
                try? await Task.sleep(for: .milliseconds(1))
            case let answer?:
                tally.count(answer, to: question)
                number += 1
            }
        }
        return tally
    }
}
