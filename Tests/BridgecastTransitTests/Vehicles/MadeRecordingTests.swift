// The shipped recording, which is made: its buses are on their lines and before a raised bridge, and it says what it is.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastTransit

@Suite struct MadeRecordingTests {
    private static let file = Fixtures.model("transit/sound-transit-montlake-2018-01-04.pb.gz")
    private static let recording = Result { try RealtimeRecording(file) }

    /// All reports of vehicles, in order of time.
    private static let reports = Result<[VehicleReport], any Error> {
        try recording.get().frames.filter { $0.kinds == [.vehicles] }.flatMap { frame in
            try RealtimeFeed.read(frame.content.bytes()).feed.entities.compactMap(\.vehicle)
        }
    }

    @Test func itIsADayOfVehiclesAndPredictionsEveryHalfMinute() throws {
        let recording = try Self.recording.get()
        #expect(recording.kinds == Set(RealtimeKind.allCases))
        #expect(recording.notices.counts.isEmpty)
        let feed = try TransitSamples.soundTransit.get()
        #expect("\(feed.zone.civil(at: recording.span.lowerBound).date)" == "2018-01-04")
        #expect("\(feed.zone.civil(at: recording.span.upperBound).date)" == "2018-01-04")
        let times = try #require(recording.source(.vehicles)).times
        #expect(times.count > 1_500)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        let reports = try Self.reports.get()
        #expect(reports.count > 10_000)
        #expect(reports.allSatisfy { $0.occupancy != nil && $0.timestamp != nil })
    }

    @Test func itSaysThatItIsMade() async throws {
        let recording = try Self.recording.get()
        let alerts = try #require(recording.source(.alerts))
        let bytes = try #require(try await alerts.fetch(at: recording.span.upperBound))
        let alert = try #require(try RealtimeFeed.read(bytes).feed.entities.first?.alert)
        #expect(alert.header.first?.text.hasPrefix("Made, not recorded") == true)
        let source = try #require(recording.source(.vehicles, note: "made"))
        var state = RealtimeState(of: [source])
        let noon = Fixtures.timestamp("2018-01-04T12:00")
        let frame = try #require(try await source.fetch(at: noon))
        state.take(try RealtimeFeed.read(frame).feed, of: source.id, at: noon)
        #expect(state.statuses.map(\.remark) == ["made"])
    }

    @Test func itsBusesAreOnTheirLinesAndGoForwards() throws {
        let feed = try TransitSamples.soundTransit.get()
        var tracks: [String: LineTrack] = [:]
        var metres: [String: Double] = [:]
        for (id, line, fix) in try Self.fixes(in: feed) {
            // A trip is seen from its start on.
            let place = tracks[id, default: LineTrack()].match(
                fix, to: line, maxMetresPerSecond: 32, startCost: { $0 / 1000 })
            let isOnLine = !line.approaches(to: fix.point, within: 30).isEmpty
            #expect(isOnLine, "trip \(id) at \(fix.seconds)")
            // A track is held where it was when a fix is a step back, so a bus that went back would be far from it.
            #expect(place.offMetres < 100, "trip \(id) at \(fix.seconds)")
            #expect(place.metres >= metres[id, default: 0] - 30, "trip \(id) at \(fix.seconds)")
            metres[id] = place.metres
        }
        #expect(metres.count > 150)
    }

    @Test func noBusIsOnMontlakeBridgeWhileItIsRaised() throws {
        let feed = try TransitSamples.soundTransit.get()
        let middle = BridgeCatalogue[BridgeIndex.montlake].point
        var waiting = 0
        for (id, _, fix) in try Self.fixes(in: feed) {
            let time = Timestamp(secondsSinceEpoch: Int64(fix.seconds))
            guard Fixtures.shippedHistory.isBlocked(at: time, of: .montlake) else { continue }
            let metres = fix.point.metres(to: middle)
            #expect(metres > 30, "trip \(id) at \(fix.seconds)")
            if metres < 300 { waiting += 1 }
        }
        #expect(waiting > 10)
    }

    /// Each report's trip, its line, and where it was.
    private static func fixes(
        in feed: TransitFeed
    ) throws -> [(trip: String, line: ShapeLine, fix: VehicleFix)] {
        try reports.get().map { report in
            let id = try #require(report.trip?.tripID)
            let trip = try #require(feed.trip(id), "\(id)")
            let line = try #require(feed.geometry(of: trip)?.line)
            let latitude = try #require(report.latitude)
            let longitude = try #require(report.longitude)
            let time = try #require(report.timestamp)
            let point = GeoPoint(latitude: Double(latitude), longitude: Double(longitude))
            return (id, line, VehicleFix(point: point, seconds: Double(time.secondsSinceEpoch)))
        }
    }
}
