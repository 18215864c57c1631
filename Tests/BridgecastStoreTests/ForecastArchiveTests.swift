// The archive of issued forecasts: what it keeps, what it refuses, and the scores of its days.
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

@testable import BridgecastCore
@testable import BridgecastData
@testable import BridgecastStore
@testable import BridgecastSupport

private let shipped = ArchivedModel(file: "bridgecast.int8.bcm", sha256: "ab12")

/// Forecasts of one chance for all bridges and leads.
private func issue(
    at time: Timestamp, raised: Double = 0.1, climatology: Double = 0.05
) -> ArchivedIssue {
    let delay = DelayDistribution([
        Float(1 - raised), 0, Float(raised / 2), 0, Float(raised / 2), 0, 0, 0, 0, 0, 0, 0,
    ])
    let forecast = ArchivedForecast(
        raised: (raised, climatology), climatologyStopped: climatology, density: 0, delay: delay)
    return ArchivedIssue(
        issueTime: time, isKnown: [true, true, false, false, false, false, true],
        isRaised: [false, true, false, false, false, false, false],
        forecasts: Array(repeating: forecast, count: ArchivedIssue.forecastCount))
}

private func withArchive(_ body: (ForecastArchive, URL) throws -> Void) throws {
    try withFolder { folder in
        let url = folder.appendingPathComponent("deep/archive.sqlite")
        let archive = try ForecastArchive(url, writing: .live)
        defer { archive.close() }
        try body(archive, url)
    }
}

@Suite struct ForecastArchiveTests {
    /// Ballard is up from 12:10 to 12:20; everything is covered.
    private let history = OpeningHistory(
        records: [Fixtures.opening("Ballard", "2026-02-20T12:10", "2026-02-20T12:20")],
        coverage: Coverage(
            Fixtures.timestamp("2026-02-01T00:00")..<Fixtures.timestamp("2026-03-01T00:00")))
    private let later = Fixtures.timestamp("2026-02-25T00:00")

    @Test(arguments: [1e-6, 0.0003, 0.01, 0.2, 0.5, 0.97])
    func forecastsComeBackWithinTheirRounding(_ chance: Double) throws {
        try withArchive { archive, _ in
            let written = issue(at: noon, raised: chance)
            #expect(try archive.add(written, by: shipped))
            let read = try archive.issues(in: noon..<noon.adding(seconds: 1))
            #expect(read.map(\.issue) == [written])
            let forecast = try #require(read.first?.issue[.fremont, 3])
            #expect(abs(forecast.probabilityRaised / chance - 1) < 0.001)
            #expect(abs(forecast.probabilityStopped / chance - 1) < 0.02)
            #expect(abs(forecast.delay[2] - chance / 2) <= chance / 255)
            #expect(try archive.models() == [read[0].model: shipped])
        }
    }

    @Test func aSecondForecastOfTheSameFiveMinutesIsNotKept() throws {
        try withArchive { archive, _ in
            let first = issue(at: noon.adding(seconds: 20))
            #expect(try archive.add(first, by: shipped))
            #expect(try !archive.add(issue(at: noon, raised: 0.9), by: shipped))
            #expect(try archive.add(issue(at: noon.adding(seconds: 300)), by: shipped))
            let all = try archive.issues(in: noon..<noon.adding(seconds: 900))
            #expect(all.map(\.issue.issueTime) == [first.issueTime, noon.adding(seconds: 300)])
            #expect(all.first?.issue == first)
        }
    }

    @Test func aYearTakesLessThan400Megabytes() throws {
        try withArchive { archive, url in
            for number in 0..<600 {
                try archive.add(
                    issue(at: noon.adding(seconds: Int64(number) * 300), raised: 0.01), by: shipped)
            }
            try archive.database.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
            let bytes = try #require(
                FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int)
            let perRow = Double(bytes) / 600 / Double(ArchivedIssue.forecastCount)
            #expect(perRow < 24, "\(perRow) bytes a row")
            #expect(Double(bytes) / 600 * 105_120 < 400e6)
        }
    }

    @Test func forecastsOfAReplayAndOfThePresentAreNeverInOneFile() throws {
        try withArchive { _, url in
            let error = #expect(throws: ForecastArchiveError.self) {
                try ForecastArchive(url, writing: .replay)
            }
            #expect(error?.kind == .data && error?.reason.contains("name another file") == true)
        }
    }

    @Test func anArchiveOfANewerVersionIsRefusedAndUnchanged() throws {
        try withArchive { archive, url in
            try archive.add(issue(at: noon), by: shipped)
            archive.close()
            let queue = try DatabaseQueue(path: url.path)
            try queue.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)")
            }
            try queue.close()
            let before = try Data(contentsOf: url)
            let writing = #expect(throws: ForecastArchiveError.self) {
                try ForecastArchive(url, writing: .live)
            }
            let reading = #expect(throws: ForecastArchiveError.self) {
                try ForecastArchive(reading: url)
            }
            #expect(writing?.problem == .newer && reading?.problem == .newer)
            #expect(try Data(contentsOf: url) == before)
        }
    }

    @Test func aHistoryStoreIsNoArchiveAndTheOtherWayRound() throws {
        try withStore { _, store in
            let error = #expect(throws: ForecastArchiveError.self) {
                try ForecastArchive(store, writing: .live)
            }
            #expect(error?.problem == .foreign && error?.kind == .data)
        }
        try withArchive { _, url in
            let error = #expect(throws: HistoryStoreError.self) { try HistoryStore(url, .writing) }
            #expect(error?.problem == .foreign)
        }
    }

    @Test func aRowIsScoredWhenItsHourIsCoveredAndCountedOtherwise() throws {
        try withArchive { archive, _ in
            try archive.add(issue(at: noon), by: shipped)
            // Two minutes and an hour later the first lead alone has an outcome.
            let early = try archive.scores(of: history, at: noon.adding(minutes: 62))
            let sums = try #require(early.first?.sums(of: .ballard))
            #expect(sums.scored == 1 && sums.pending == 7 && sums.uncovered == 0)
            let all = try #require(
                try archive.scores(of: history, at: later).first?.sums(of: .ballard))
            #expect(all.scored == 8 && all.pending == 0)
            // Arrivals at 12:10 and 12:15 meet the raised span.
            #expect(all.raised.happened == 2 && all.stopped.happened == 2 && all.delays == 2)
            let nothing = try archive.scores(of: .none, at: later)
            #expect(nothing.first?.sums().scored == 0 && nothing.first?.sums().uncovered == 56)
        }
    }

    @Test func aHoleInTheCoverageLeavesTheForecastsIntoItUnscored() throws {
        let holes = OpeningHistory(
            records: [],
            coverage: Coverage([
                .ballard: [
                    noon.adding(minutes: -60)..<noon.adding(minutes: 75),
                    noon.adding(minutes: 80)..<later,
                ]
            ]))
        try withArchive { archive, _ in
            try archive.add(issue(at: noon), by: shipped)
            let sums = try #require(
                try archive.scores(of: holes, at: later).first?.sums(of: .ballard))
            // Arrivals up to 15 minutes ahead have their hour before the hole.
            #expect(sums.scored == 4 && sums.uncovered == 4)
        }
    }

    @Test func aDoubtedStartLeavesTheMinutesBeforeItsEdgeUnscoredAndNothingElse() throws {
        let day = Fixtures.timestamp("2026-02-20T00:00")..<Fixtures.timestamp("2026-02-21T00:00")
        let edges = stride(from: 10.0, to: 1440, by: 15).map { minute in
            day.lowerBound.adding(minutes: minute - 5)..<day.lowerBound.adding(minutes: minute + 1)
        }
        let doubted = history.doubtingStarts(of: .ballard, in: day, unknown: edges)
        try withArchive { archive, _ in
            try archive.add(issue(at: noon), by: shipped)
            let sums = try #require(
                try archive.scores(of: doubted, at: later).first?.sums(of: .ballard))
            // Of 2, 5, 10, 15, 20, 30, 45 and 60 minutes past noon 5, 10 and 20 are in the six minutes up to an edge.
            #expect(sums.scored == 5 && sums.uncovered == 3)
            #expect(sums.raised.happened == 1)
        }
    }

    @Test func theLastDayIsThatOfTheNewestForecast() throws {
        try withArchive { archive, _ in
            try archive.add(issue(at: noon), by: shipped)
            let report = try archive.report(
                of: history, at: later.adding(minutes: 400 * 1440), windowDays: [1],
                reference: nil)
            #expect(report.issueTimes == noon...noon)
            #expect(report.windows.first?.total.scored == 56)
        }
    }

    @Test func forecastsOfAClockThatWasAheadDoNotHideTheOthers() throws {
        try withArchive { archive, _ in
            try archive.add(issue(at: noon), by: shipped)
            try archive.add(issue(at: noon.adding(minutes: 4 * 525_960)), by: shipped)
            let report = try archive.report(
                of: history, at: later, windowDays: [7], reference: nil)
            #expect(report.windows.first?.total.scored == 56)
        }
    }

    @Test func scoresAreKeptAndRenewedWhenRecordsOfTheDayCome() throws {
        try withArchive { archive, _ in
            try archive.add(issue(at: noon), by: shipped)
            #expect(try archive.scores(of: .none, at: later).first?.sums().uncovered == 56)
            let scored = try archive.scores(of: history, at: later)
            #expect(scored.first?.sums().scored == 56)
            // Kept: without the forecasts they are the same.
            try archive.database.write { try $0.execute(sql: "UPDATE issue SET forecasts = x'00'") }
            let kept = try archive.scores(of: history, at: later.adding(minutes: 60))
            #expect(kept.map(\.date) == scored.map(\.date))
            #expect(kept.first?.sums().raised.happened == 2)
            #expect(throws: ForecastArchiveError.self) {
                try archive.scores(of: .none, at: later)
            }
        }
    }

    @Test func figuresAreByModel() throws {
        try withArchive { archive, _ in
            let next = ArchivedModel(file: "next.bcm", sha256: "cd34")
            try archive.add(issue(at: noon), by: shipped)
            try archive.add(issue(at: noon.adding(seconds: 300), raised: 0.4), by: next)
            let report = try archive.report(of: history, at: later, windowDays: [7], reference: nil)
            let window = try #require(report.windows.first)
            #expect(window.byModel.map(\.model) == [shipped, next])
            #expect(window.byModel.map(\.sums.scored) == [56, 56])
            #expect(window.total.scored == 112)
            let worse = try #require(window.byModel.last?.sums.raised.meanLogLoss)
            #expect(worse > (window.byModel.first?.sums.raised.meanLogLoss ?? 1))
        }
    }

    @Test func pruningRemovesTheOldestTwoDaysAtATime() throws {
        try withArchive { archive, _ in
            for day in 0..<5 {
                try archive.add(issue(at: noon.adding(seconds: Int64(day) * 86_400)), by: shipped)
            }
            try archive.prune(before: noon.adding(seconds: -1))
            #expect(try archive.extent()?.lowerBound == noon)
            // A clock that is wrong by years does not empty the archive.
            try archive.prune(before: noon.adding(seconds: 1000 * 86_400))
            #expect(try archive.extent()?.lowerBound == noon.adding(seconds: 2 * 86_400))
        }
    }
}

@Suite struct DriftTestTests {
    /// Losses of a fortnight whose true skill is given: climatology's loss varies threefold from day to day, and the
    /// model's scatters around its share with a long tail upwards, as losses do.
    private func fortnight(
        skill: Double, using random: inout SeededGenerator
    ) -> [DailyLoss] {
        (0..<DriftTest.blockDays).map { day in
            var losses: [BridgeIndex: (model: Double, climatology: Double)] = [:]
            for bridge in [BridgeIndex.ballard, .fremont, .southPark] {
                let climatology = 50 * Double.random(in: 0.5...1.5, using: &random)
                // An exponential variable: mean 1, skewed.
                let tail = -log(Double.random(in: 0.000_001..<1, using: &random))
                losses[bridge] = (climatology * (1 - skill) * (0.8 + 0.2 * tail), climatology)
            }
            return DailyLoss(date: CivilDate(dayNumber: day), losses: losses)
        }
    }

    private func outcomes(skill: Double, runs: Int) -> [DriftTest.Outcome: Int] {
        let reference = SkillReference(
            days: 84,
            skills: [.ballard: (0.2, 0.005), .fremont: (0.2, 0.005), .southPark: (0.2, 0.005)])
        var random = SeededGenerator(seed: 7)
        return (0..<runs).reduce(into: [:]) { counts, _ in
            let days = fortnight(skill: skill, using: &random)
            let result = DriftTest.test(days, from: days[0].date, reference)
            counts[result.outcome, default: 0] += 1
        }
    }

    @Test func withoutDriftFalseAlarmsAreAsRareAsStated() {
        let runs = 4000
        let counts = outcomes(skill: 0.2, runs: runs)
        // 20 of 4,000 are expected; 35 are more than three standard deviations above that.
        #expect(counts[.worse, default: 0] <= 35, "\(counts)")
        #expect(counts[.untested] == nil)
    }

    @Test func lostSkillIsFound() {
        let counts = outcomes(skill: 0.05, runs: 200)
        #expect(counts[.worse, default: 0] > 180, "\(counts)")
    }

    @Test func aFortnightWithFewScoredDaysIsNotTested() {
        var random = SeededGenerator(seed: 1)
        let days = Array(fortnight(skill: -1, using: &random).prefix(DriftTest.minDays - 1))
        let reference = SkillReference(days: 14, skills: [.ballard: (0.2, 0.01)])
        let result = DriftTest.latest(
            days, against: reference, before: CivilDate(dayNumber: DriftTest.blockDays + 3))
        #expect(result.outcome == .untested && result.days == DriftTest.minDays - 1)
        #expect(result.from == CivilDate(dayNumber: 0) && result.pValue == nil)
    }

    /// From tables of Student's distribution.
    @Test(arguments: [(2.624, 14.0, 0.01), (1.753, 15, 0.05), (6.314, 1, 0.05), (-1.812, 10, 0.95)])
    func tailsAreThoseOfStudent(_ t: Double, _ freedom: Double, _ tail: Double) {
        #expect(abs(StudentT.upperTail(t, degreesOfFreedom: freedom) - tail) < 5e-5)
    }

    @Test func theShippedEvaluationIsAReference() throws {
        let data = try Data(contentsOf: Fixtures.model("bridgecast.skill.json"))
        let reference = try #require(SkillReference(data))
        #expect(reference.days == 14 && reference.skills.count == 6)
        // As live: with its state known, University has 0.18.
        #expect(reference.skills[.university]?.value ?? 1 < 0.1)
        #expect(reference.skills[.ballard]?.value ?? 0 > 0.1)
        #expect(SkillReference(Data("{}".utf8)) == nil)
        let older = try #require(String(data: data, encoding: .utf8))
            .replacingOccurrences(of: "\"by_bridge\"", with: "\"bridges\"")
        #expect(SkillReference(Data(older.utf8)) == nil)
    }
}
