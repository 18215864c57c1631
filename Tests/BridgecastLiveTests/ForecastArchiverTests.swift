// Issued forecasts reach the archive while the service goes on, whatever the archive does.
import Bridgecast
import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore
@testable import BridgecastLive
@testable import BridgecastStore

@Suite @MainActor struct ForecastArchiverTests {
    private let start = "2026-02-20T12:00"

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func archiver(
        _ url: URL, clock: any WallClock,
        changing change: (inout ForecastArchiver.Parts) -> Void = { _ in }
    ) -> ForecastArchiver {
        var parts = ForecastArchiver.Parts(
            clock: clock, log: quiet, outcomes: { Fixtures.shippedHistory.before(clock.now) }
        ) { () throws(ForecastArchiveError) in try ForecastArchive(url, writing: .replay) }
        change(&parts)
        return ForecastArchiver(parts)
    }

    /// An archiver at work, and a replay that it gets forecasts of.
    private func begin(
        _ url: URL, changing change: @escaping (inout ForecastArchiver.Parts) -> Void = { _ in }
    ) throws -> (archiver: ForecastArchiver, service: LiveService, work: Task<Void, Never>) {
        var used: ForecastArchiver?
        let (service, _, _) = try replay(
            from: start,
            archiver: { clock in
                let archiver = self.archiver(url, clock: clock, changing: change)
                used = archiver
                return archiver
            })
        let archiver = try #require(used)
        return (archiver, service, Task { await archiver.run() })
    }

    /// Replays three hours into an archive.
    private func archive(
        _ url: URL, changing change: @escaping (inout ForecastArchiver.Parts) -> Void = { _ in }
    ) async throws -> (ForecastArchiver, LiveService) {
        let (archiver, service, work) = try begin(url, changing: change)
        try await service.run(until: Fixtures.timestamp(start).adding(minutes: 180))
        archiver.finish()
        await work.value
        return (archiver, service)
    }

    @Test func oneForecastInFiveMinutesIsArchivedAndScoredAsItComesTrue() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("archive.sqlite")
            let (archiver, _) = try await archive(url)
            #expect((36...37).contains(archiver.counts.archived))
            #expect(archiver.counts.problem == nil && archiver.status == nil)
            let total = try #require(archiver.report?.windows.first?.total)
            // Arrivals of the last two hours have no outcome yet, those of the others have.
            #expect(total.scored > 500 && total.pending > 500)
            let read = try ForecastArchive(reading: url)
            defer { read.close() }
            let begin = Fixtures.timestamp(start)
            let issues = try read.issues(in: begin..<begin.adding(minutes: 30))
            #expect(issues.count == 6)
            let last = try #require(issues.last?.issue)
            #expect(last.isKnown[BridgeIndex.ballard.rawValue])
            #expect(!last.isKnown[BridgeIndex.lowerSpokaneSt.rawValue])
        }
    }

    @Test func forecastingGoesOnWithoutAnArchiveAndItsStatusSaysSo() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("archive.sqlite")
            try Data("not a database".utf8).write(to: url)
            let (archiver, service) = try await archive(url)
            #expect(archiver.counts.archived == 0 && archiver.counts.failed >= 36)
            #expect(archiver.status?.problem?.contains("not a forecast archive") == true)
            #expect(await service.counts.batches >= 180)
            #expect(await service.counts.failures == 0)
            #expect(try Data(contentsOf: url) == Data("not a database".utf8))
        }
    }

    @Test func forecastsAreArchivedWhileTheirOutcomesCannotBeRead() async throws {
        struct Unreadable: Error, CustomStringConvertible { let description = "no outcomes" }
        try await withFolder { folder in
            let url = folder.appendingPathComponent("archive.sqlite")
            let (archiver, _) = try await archive(url) {
                $0.outcomes = { throw Unreadable() }
            }
            #expect((36...37).contains(archiver.counts.archived) && archiver.counts.failed == 0)
            #expect(archiver.counts.problems == [.scoring: "no outcomes"])
            #expect(archiver.status?.publicProblem == "forecasts cannot be scored")
        }
    }

    @Test func anArchiveThatWasRemovedIsBegunAgain() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("archive.sqlite")
            let archive = try ForecastArchive(url, writing: .replay)
            #expect(!archive.isRemoved)
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: url.path + suffix)
            }
            #expect(archive.isRemoved)
            archive.close()
            let clock = ReplayClock(from: Fixtures.timestamp(start), speed: .infinity)
            let archiver = self.archiver(url, clock: clock)
            let forecaster = try forecaster(Fixtures.shippedHistory)
            let archiving = Task { await archiver.run() }
            for minutes in [0.0, 5] {
                let update = try await forecaster.update(
                    nil, traffic: LiveTraffic(),
                    at: Fixtures.timestamp(start).adding(minutes: minutes))
                archiver.offer(update, by: ArchivedModel(file: "m.bcm", sha256: ""))
                while archiver.counts.archived <= Int(minutes / 5) {
                    try await Task.sleep(for: .milliseconds(20))
                }
                if minutes == 0 {
                    for suffix in ["", "-wal", "-shm"] {
                        try? FileManager.default.removeItem(atPath: url.path + suffix)
                    }
                }
            }
            archiver.finish(scoring: false)
            await archiving.value
            let read = try ForecastArchive(reading: url)
            defer { read.close() }
            #expect(try read.extent()?.lowerBound == Fixtures.timestamp(start).adding(minutes: 5))
        }
    }

    @Test func whatIsNewIsScoredWhenTheClockStops() async throws {
        try await withFolder { folder in
            let run = try begin(folder.appendingPathComponent("archive.sqlite")) { parts in
                parts.tickSeconds = 0.05
                // So long that no forecast makes a second scoring due.
                parts.restFactor = 1_000_000
            }
            try await run.service.run(until: Fixtures.timestamp(start).adding(minutes: 180))
            // The service has ended, and nothing has asked the archiver to. A busy machine's clock may have stopped
            // before, with nothing to score yet.
            while run.archiver.report?.windows.first?.total.scored ?? 0 <= 500 {
                try await Task.sleep(for: .milliseconds(20))
            }
            run.archiver.finish(scoring: false)
            await run.work.value
        }
    }

    @Test func onlyAnArchiverWithALimitRemovesOldForecasts() async throws {
        try await withFolder { folder in
            for days in [nil, 30] as [Int?] {
                let url = folder.appendingPathComponent("\(days ?? 0).sqlite")
                let (first, _) = try await archive(url)
                let archived = first.counts.archived
                let clock = ReplayClock(
                    from: Fixtures.timestamp(start).adding(minutes: 60 * 1440), speed: 1)
                let archiver = archiver(url, clock: clock) { $0.days = days }
                let update = try await forecaster(Fixtures.shippedHistory).update(
                    nil, traffic: LiveTraffic(), at: clock.now)
                archiver.offer(update, by: ArchivedModel(file: "m.bcm", sha256: ""))
                archiver.finish(scoring: false)
                await archiver.run()
                // It scored when it began, and not at the end.
                #expect(archiver.counts.scorings == 1)
                let read = try ForecastArchive(reading: url)
                defer { read.close() }
                let begin = Fixtures.timestamp(start)
                let left = try read.issues(in: begin..<begin.adding(minutes: 600))
                #expect(left.count == (days == nil ? archived : 0))
            }
        }
    }

    @Test func aReplayedPeriodIsNotArchivedTwice() async throws {
        try await withFolder { folder in
            let url = folder.appendingPathComponent("archive.sqlite")
            let (first, _) = try await archive(url)
            let (second, _) = try await archive(url)
            #expect(second.counts.archived == 0)
            #expect(second.counts.repeated == first.counts.archived)
        }
    }
}
