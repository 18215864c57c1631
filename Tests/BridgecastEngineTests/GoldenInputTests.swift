// What the shipped model was trained on: its inputs, prior and climatology must not change under it.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

/// A model knows its inputs by what they were in its training; names and a hash say nothing of their values.
///
/// So rows of real situations are kept with their numbers. Who means to change them trains a new model, and runs
/// this with BRIDGECAST_WRITE_GOLDEN=1.
@Suite struct GoldenInputTests {
    private static let file = Fixtures.checkout.appendingPathComponent(
        "Tests/BridgecastEngineTests/Golden/inputs.txt")

    /// Ends of closed windows, a holiday, nights of clock changes, summer without records; and ordinary days.
    private static let issueTimes: [Timestamp] = {
        let special = [
            "2026-02-20T09:01", "2026-02-20T18:02", "2026-02-20T15:59", "2026-02-16T12:00",
            "2025-03-09T03:05", "2025-11-02T03:05", "2025-07-04T21:30", "2018-01-01T00:00",
            "2017-11-22T16:45", "2026-02-19T12:31", "2026-01-08T04:10", "2025-04-30T07:10",
        ].map(Fixtures.timestamp)
        let ordinary = [("2017-10-26T05:13", 24), ("2025-01-04T06:21", 36)].flatMap {
            start, count in
            (0..<count).map { Fixtures.timestamp(start).adding(minutes: Double($0) * 5_237) }
        }
        return special + ordinary
    }()

    private struct Row {
        let name: String
        let inputs: [Float]
        let prior: [Float]
    }

    /// Rows of every bridge, many leads and densities, in known, unknown and live situations.
    private static func rows(_ climatology: Climatology) -> [Row] {
        let reader = SituationReader(Fixtures.shippedHistory)
        let builder = FeatureBuilder(climatology: climatology)
        let leads = [0, 1.5, 2, 5, 10, 17, 30, 45, 60, 75, 240]
        return issueTimes.enumerated().flatMap { number, issueTime -> [Row] in
            var situation =
                number % 6 == 5 ? .unknown(at: issueTime) : reader.situation(at: issueTime)
            if number % 5 == 3 {
                // The bridge of the first row, up for some minutes and watched for less than an hour.
                let own = BridgeIndex.all[number * 3 % 7]
                let raised = SpanState.raised(since: issueTime.adding(minutes: -Double(number % 9)))
                situation = situation.applying(
                    LiveSnapshot(
                        asOf: issueTime, states: [own: raised],
                        observedSince: [own: issueTime.adding(minutes: -50)]))
            }
            // One batch, so that rows are also made by copying what they share.
            var batch = FeatureBatch()
            let chosen = [
                (number * 3, number), (number * 5 + 1, number), (number * 5 + 1, number + 4),
            ]
            for (bridge, lead) in chosen {
                builder.append(
                    BridgeIndex.all[bridge % 7], leadMinutes: leads[lead % leads.count],
                    density: [0, 0.3, 0.62, 0.9][lead % 4], in: situation, to: &batch)
            }
            let width = FeatureSchema.count
            let bins = DelayBins.count
            let features = batch.rows.dense()
            return chosen.indices.map { row in
                Row(
                    name: "\(issueTime.secondsSinceEpoch)/\(chosen[row].0 % 7)/\(chosen[row].1)",
                    inputs: Array(features[row * width..<(row + 1) * width]),
                    prior: Array(batch.priorLogits[row * bins..<(row + 1) * bins]))
            }
        }
    }

    /// A row as a line: its name, the inputs that are not zero, the prior.
    private static func line(_ row: Row) -> String {
        let inputs = row.inputs.enumerated().filter { $0.element != 0 }
            .map { "\($0.offset)=\($0.element)" }
        return ([row.name] + inputs + ["|"] + row.prior.map { "\($0)" }).joined(separator: " ")
    }

    private static func row(_ line: Substring) throws -> Row {
        let words = line.split(separator: " ")
        let bar = try #require(words.firstIndex(of: "|"))
        var inputs = [Float](repeating: 0, count: FeatureSchema.count)
        for word in words[1..<bar] {
            let pair = word.split(separator: "=")
            inputs[try #require(Int(pair[0]))] = try #require(Float(pair[1]))
        }
        return Row(
            name: String(words[0]), inputs: inputs,
            prior: try words[(bar + 1)...].map { try #require(Float($0)) })
    }

    @Test func inputsAndPriorAreThoseThatTheModelWasTrainedOn() throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let found = Self.rows(model.climatology)
        if ProcessInfo.processInfo.environment["BRIDGECAST_WRITE_GOLDEN"] != nil {
            try Data((found.map(Self.line).joined(separator: "\n") + "\n").utf8)
                .write(to: Self.file)
        }
        let kept = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
            .map(Self.row)
        #expect(kept.map(\.name) == found.map(\.name) && kept.count == 216)
        for (old, new) in zip(kept, found) {
            for (index, pair) in zip(old.inputs, new.inputs).enumerated() {
                let name = FeatureSchema.features[index].name
                #expect(isClose(pair.0, pair.1), "\(old.name), \(name): \(pair.0), now \(pair.1)")
            }
            for (bin, pair) in zip(old.prior, new.prior).enumerated() {
                #expect(
                    isClose(pair.0, pair.1), "\(old.name), bin \(bin): \(pair.0), now \(pair.1)")
            }
        }
    }

    /// The records ship, and the model carries what its fit made of them.
    @Test func climatologyIsWhatTheModelCarries() throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let history = Fixtures.shippedHistory.before(model.header.provenance.fittedBefore)
        let found = Climatology(ClimatologyCounts(history))
        let kept = model.climatology
        for (name, old, new) in [
            ("openProbability", kept.openProbability.values, found.openProbability.values),
            ("durationSurvival", kept.durationSurvival, found.durationSurvival),
            ("openingsPerDay", kept.openingsPerDay.values, found.openingsPerDay.values),
            ("coveredSeasonDays", kept.coveredSeasonDays, found.coveredSeasonDays),
        ] {
            #expect(old.count == new.count && old.contains { $0 != 0 }, "\(name)")
            let wrong = old.indices.filter { !isClose(old[$0], new[$0]) }
            #expect(wrong.isEmpty, "\(name): \(wrong.prefix(5))")
        }
    }

    @Test func rowsSpreadOverABatchAreRowsOfIt() {
        let batch = RandomModel.rows(50)
        let spread = batch.spread(rows: 7)
        let width = FeatureSchema.count
        let all = batch.rows.dense()
        let chosen = spread.rows.dense()
        #expect(spread.rowCount == 7 && batch.spread(rows: 50).rowCount == 50)
        for (index, row) in [0, 7, 14, 21, 28, 35, 42].enumerated() {
            let (own, its) = (
                chosen[index * width..<(index + 1) * width],
                all[row * width..<(row + 1) * width]
            )
            #expect(own.elementsEqual(its), "row \(row)")
            #expect(
                spread.priorLogits[index * 12..<index * 12 + 12].elementsEqual(
                    batch.priorLogits[row * 12..<row * 12 + 12]), "row \(row)")
        }
    }

    /// Within what the rounding of another libm can do.
    private func isClose(_ a: Float, _ b: Float) -> Bool { abs(a - b) <= 1e-5 * max(1, abs(a)) }
}
