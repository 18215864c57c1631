// Moments, addresses, histories and texts that a host may hand in by mistake: none ends the process.
import Bridgecast
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct HostileValueTests: HostSuite {
    @Test(arguments: [Int64.min, .max, -1 << 60, 1 << 60])
    func momentsBeyondTheCalendarAreItsEnds(_ seconds: Int64) async throws {
        let end = Timestamp(secondsSinceEpoch: seconds)
        #expect(end == (seconds < 0 ? .earliest : .latest))
        #expect(end.adding(seconds: seconds) == end && end.adding(minutes: .nan) == end)
        #expect(now.adding(minutes: seconds < 0 ? -.infinity : .infinity) == end)
        #expect(TimeText.rfc3339(end).count == 25 && Timestamp(end.date) == end)
        #expect(
            CivilDate(dayNumber: Int(seconds)).adding(days: Int(seconds)).description.count >= 10)
        let known = Situation.unknown(at: end)
        let request = ForecastRequest(bridge: .fremont, leadMinutes: 5, density: 0)
        #expect(try await inference.forecast([request], in: known).count == 1)
        let ranking = try await inference.rank([overFremont], leaving: end, in: known)
        #expect(ranking.count == 1)
    }

    @Test func aMomentThatIsNoneIsNotDecoded() throws {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Timestamp].self, from: Data("[9223372036854775807]".utf8))
        }
    }

    @Test func addressesThatAreNoFilesAreNotRead() throws {
        let path = Fixtures.model("bridgecast.int8.bcm").path
        let address = try #require(URL(string: "https://example.org" + path))
        #expect(throws: ModelFileError.self) { try TrafficInference(contentsOf: address) }
        #expect(throws: ModelFileError.self) { try ModelFile.readNetwork(address) }
        let states = try #require(URL(string: "https://example.org" + path))
        #expect(throws: DocumentError.self) { try LiveFile.read(states) }
        #expect(throws: DocumentError.self) { try CandidateFile.read(states, mode: .car) }
    }

    @Test func historiesThatAreNoneAreRefused() {
        for openings in [Double.nan, -1, .infinity, 1e308] {
            #expect(throws: ForecastTableError.history(.ballard)) {
                try ForecastTable(
                    issueTime: now, leadsMinutes: [0],
                    history: [.ballard: BridgeHistory(openingsPerDay: openings, coveredDays: 1)]
                ) { _, _, _ in .none }
            }
        }
    }

    @Test func whatATrackerIsResumedWithMayBeReversed() {
        let reversed = ObservedOpening(
            bridge: .ballard, start: now, startIsKnown: true, end: now.adding(minutes: -5))
        var tracker = BridgeTracker(resuming: [], recent: [reversed])
        _ = tracker.apply(BridgeReading(receivedAt: now, isRaised: [.ballard: true]))
        #expect(tracker.snapshot?.openings == [])
    }

    @Test func aReplyThatMixesBridgesUpIsRefused() {
        let reply = #"[{"BridgeID": 1, "DisplayName": "Ballard", "Status": "Open"}]"#
        #expect(throws: DocumentError.self) { try LiveFile.read(Data(reply.utf8)) }
    }

    @Test func aNameOfAMegabyteIsNotSearchedFor() {
        #expect(throws: PlaceError.self) {
            try Fixtures.seattle.place(named: String(repeating: "x", count: 1_000_000))
        }
        let error = #expect(throws: TimeTextError.self) {
            try TimeText.parse(String(repeating: "9", count: 1_000_000))
        }
        #expect("\(error ?? .unreadable(""))".count < 300)
    }
}
