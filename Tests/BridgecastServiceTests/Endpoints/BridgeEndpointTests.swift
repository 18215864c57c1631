// `/bridges` and `/bridges/{id}`: one document for all clients, its numbers those of the board's table.
import BridgecastCore
import BridgecastEngine
import BridgecastLive
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import BridgecastService

@Suite struct BridgeEndpointTests {
    private static let path = "/api/v1/bridges"

    private func bridge(
        _ name: String, _ query: String = "", from state: ServiceState
    ) async throws -> ServiceAnswer {
        try await ServiceFixture.answer(
            "/api/v1/bridges/{id}", query, pathValues: [name], from: state)
    }

    @Test func theBoardShowsEveryBridgeForTwoHours() async throws {
        let state = try await ServiceFixture.state()
        let board = try state.board()
        let object = try await ServiceFixture.answer(Self.path, from: state).object()
        let bridges = try #require(object["bridges"] as? [[String: Any]])
        #expect(bridges.count == 7)
        for (index, shown) in zip(BridgeIndex.all, bridges) {
            let delay = board.update.table.delayWithin(at: index, leadMinutes: 0, queues: true)
            let probability = try #require(shown["probability_stopped"] as? Double)
            #expect(abs(probability - delay.probabilityDelayed) <= 0.5001e-5)
            #expect((shown["delay_quantiles_s"] as? [Double])?.count == 20)
            let outlook = try #require(shown["outlook"] as? [[String: Any]])
            #expect(outlook.count == 25)
            for (place, point) in outlook.enumerated() {
                let lead = Double(place) * 5
                let expected = board.update.table.delayWithin(
                    at: index, leadMinutes: lead, queues: true)
                let said = try #require(point["probability_stopped"] as? Double)
                #expect(abs(said - expected.probabilityDelayed) <= 0.5001e-5)
                #expect(point["lead_time_s"] as? Double == lead * 60)
                #expect(point["basis"] as? String == (lead <= 60 ? "live" : "climatology"))
            }
        }
    }

    @Test func theBoardSaysWhatIsUpAndSinceWhen() async throws {
        let state = try await ServiceFixture.state()
        let object = try await ServiceFixture.answer(Self.path, from: state).object()
        let bridges = try #require(object["bridges"] as? [[String: Any]])
        let ballard = try #require(bridges.first { $0["bridge_id"] as? Int == 2 })
        let known = try state.board().situation[Fixtures.bridge("Ballard")]
        guard case .raised(let since?) = known.state else {
            Issue.record("Ballard Bridge is up at that moment")
            return
        }
        #expect(ballard["state"] as? String == "raised")
        #expect(ballard["since"] as? String == TimeText.rfc3339(since))
        #expect(
            ballard["state_age_s"] as? Double
                == ServiceFixture.evening.minutes(since: since) * 60)
        #expect((ballard["rules"] as? [String])?.isEmpty == false)
    }

    @Test func whatIsSharedIsMadeOnceForABoard() async throws {
        let state = try await ServiceFixture.state()
        for (path, values) in [(Self.path, []), ("/api/v1/bridges/{id}", ["fremont"])] {
            let tags = try await [1, 2].asyncMap { _ in
                let answer = try await ServiceFixture.answer(path, pathValues: values, from: state)
                guard case .shared(let document) = answer.content else { return "not shared" }
                return document.tag
            }
            #expect(tags[0] == tags[1] && tags[0] != "not shared")
        }
    }

    @Test func aMapShowsABridgeWhereItIs() async throws {
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer(
            Self.path, accept: "application/geo+json", from: state)
        #expect(answer.mediaType == .geoJSON)
        let object = try answer.object()
        let features = try #require(object["features"] as? [[String: Any]])
        #expect(features.count == 7 && object["generated_at"] is String)
        let point = try #require(features[0]["geometry"] as? [String: Any])
        let place = try #require(point["coordinates"] as? [Double])
        #expect(abs(place[0] + 122.37619) < 1e-5 && abs(place[1] - 47.65982) < 1e-5)
        #expect((features[0]["properties"] as? [String: Any])?["bridge"] as? String == "Ballard")
        let refused = try await problem {
            try await ServiceFixture.answer(Self.path, accept: "text/csv", from: state)
        }
        #expect(refused?.status == .notAcceptable)
    }

    @Test func aBridgeIsFoundByNameAndNumberAndShowsItsHours() async throws {
        let state = try await ServiceFixture.state()
        let byName = try await bridge("fremont", from: state)
        #expect(
            ServiceFixture.bytes(byName) == ServiceFixture.bytes(try await bridge("3", from: state))
        )
        let object = try byName.object()
        #expect(object["clearance_ft"] as? Double == 30)
        let windows = try #require(object["closed_windows_today"] as? [[String: String]])
        #expect(windows.first?["from"] == "2026-02-20T07:00:00-08:00" && windows.count == 2)
        #expect(object["vessel_answer"] == nil)
        for (hours, points) in [(1, 13), (2, 25), (24, 25 + 22 * 4)] {
            let shown = try await bridge("Fremont", "hours=\(hours)", from: state).object()
            #expect((shown["outlook"] as? [Any])?.count == points)
        }
    }

    @Test func aVesselIsToldWhetherItNeedsAnOpening() async throws {
        let state = try await ServiceFixture.state()
        for (height, needs) in [("45", true), ("20", false)] {
            let query = "vessel_height_ft=\(height)&at=2026-02-23T17:30"
            let object = try await bridge("Fremont", query, from: state).object()
            #expect(object["vessel_needs_opening"] as? Bool == needs)
            #expect(object["valid_at"] as? String == "2026-02-23T17:30:00-08:00")
            #expect(object["state"] as? String == "unknown", "nobody knows three days ahead")
            #expect((object["outlook"] as? [Any])?.count == 25)
        }
    }

    @Test func anUnknownBridgeIsToldTheNearest() async throws {
        let state = try await ServiceFixture.state()
        let unknown = try await problem { try await bridge("Freemont", from: state) }
        #expect(unknown?.status == .notFound && unknown?.near.first == "Fremont")
        for (query, parameter) in [
            ("hours=0", "hours"), ("hours=25", "hours"), ("vessel_height_ft=0", "vessel_height_ft"),
            ("at=2026-02-20T17:00", "at"),
        ] {
            let wrong = try await problem { try await bridge("Fremont", query, from: state) }
            #expect(wrong?.status == .badRequest && wrong?.parameter == parameter)
        }
    }
}

extension Array {
    fileprivate func asyncMap<Other>(
        _ transform: (Element) async throws -> Other
    ) async rethrows -> [Other] {
        var result: [Other] = []
        for element in self { result.append(try await transform(element)) }
        return result
    }
}
