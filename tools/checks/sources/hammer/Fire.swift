// The hammer: one inference that all share, and a model that is exchanged under fire.
import Bridgecast
import Foundation

/// One inference that all share, until a time.
struct Fire: Sendable {
    let inference: TrafficInference
    let questions: [Question]
    let end: ContinuousClock.Instant

    /// Asks as fast as it is answered; every twentieth request is cancelled in flight.
    func ask(_ task: Int) async -> Tally {
        var (tally, random, number) = (Tally(), QuestionMaker(seed: task), task)
        while ContinuousClock.now < end {
            let question = questions[random.whole(0...questions.count - 1)]
            number += 1
            if number % 20 == 0 {
                let asked = Task { await question.ask(inference) }
                await pause(random.whole(0...2))
                asked.cancel()
                tally.count(await asked.value, to: question, isCancelled: true)
            } else {
                tally.count(await question.ask(inference), to: question)
            }
        }
        return tally
    }

    /// Lets a request come more or less far before it is cancelled.
    private func pause(_ length: Int) async {
        if length == 1 { await Task.yield() }
        if length == 2 { try? await Task.sleep(for: .milliseconds(1)) }
    }

    /// Asks for single forecasts, with a pause after each, and says what they took.
    func probe(_ task: Int) async -> Tally {
        var (tally, number) = (Tally(), task)
        while ContinuousClock.now < end {
            let question = questions[number % 4 * 10]
            number += 1
            let start = ContinuousClock.now
            let answer = await question.ask(inference)
            tally.latencies.append(start.microsecondsAgo)
            tally.count(answer, to: question)
            try? await Task.sleep(for: .milliseconds(1))
        }
        return tally
    }
}

/// Exchanges the model every 3 ms, or as often as its turn comes under fire.
struct Reloader: Sendable {
    private let good, bad: [URL]

    /// Writes the bad files to a folder.
    init(_ a: URL, _ b: URL, badIn folder: URL) throws {
        good = [a, b]
        bad = ["cut.bcm", "text.bcm", "missing.bcm"].map { folder.appendingPathComponent($0) }
        try Data(contentsOf: a).dropLast(1000).write(to: bad[0])
        try Data("not a model\n".utf8).write(to: bad[1])
    }

    func run(_ inference: TrafficInference, until end: ContinuousClock.Instant) async -> Tally {
        var (tally, number) = (Tally(), 0)
        while ContinuousClock.now < end {
            let next = ContinuousClock.now + .milliseconds(3)
            number += 1
            let isBad = number % 10 == 0
            let file = isBad ? bad[number / 10 % bad.count] : good[number % good.count]
            do throws(ModelFileError) {
                try await inference.reload(contentsOf: file)
                tally.reloads += 1
                if isBad { tally.note("\(file.lastPathComponent) was loaded") }
            } catch {
                tally.badReloads += 1
                if !isBad { tally.note("\(file.path) was refused: \(error)") }
            }
            try? await Task.sleep(until: next, clock: .continuous)
        }
        return tally
    }
}
