import BridgecastCore
import BridgecastRoads
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import BridgecastService

struct PlacesEndpointTests {
    private struct Answer: Decodable {
        struct Place: Decodable {
            let name: String
            let kind: String
            let latitude: Double
            let longitude: Double
        }
        let places: [Place]
    }

    private func places(_ query: String) async throws -> [Answer.Place] {
        let state = try await ServiceFixture.state()
        let answer = try await ServiceFixture.answer("/api/v1/places", query, from: state)
        return try JSONDecoder().decode(
            Answer.self, from: Data(ServiceFixture.bytes(answer))
        ).places
    }

    @Test func `a beginning is completed to places and corners`() async throws {
        let found = try await places("q=ball&limit=5")
        #expect(found.first?.name == "Ballard" && found.first?.kind == "neighbourhood")
        #expect(found.count <= 5)
        let corners = try await places("q=W+Dravus")
        #expect(corners.contains { $0.kind == "corner" && $0.name.contains("Dravus") })
    }

    @Test func `each name is taken as a start of a trip`() async throws {
        let found = try await places("q=fre")
        #expect(!found.isEmpty)
        for place in found {
            #expect(throws: Never.self) { try Fixtures.seattle.anchor(place.name, for: .car) }
        }
    }

    @Test func `without a text the named places are listed`() async throws {
        let found = try await places("limit=50")
        #expect(found.count == 50)
        #expect(found.allSatisfy { $0.kind != "stop" && $0.kind != "corner" })
    }

    @Test func `a point is named by the corners nearest to it`() async throws {
        let found = try await places("near=47.6687,-122.3761&limit=2")
        #expect(found.first?.name == "15th Ave NW & NW Market St" && found.first?.kind == "corner")
        #expect(found.count == 2)
        #expect(try await places("near=47.0,-122.0").isEmpty)
        let state = try await ServiceFixture.state()
        for query in ["near=Ballard", "near=47.6687,-122.3761&q=ball"] {
            await #expect(throws: Problem.self) {
                _ = try await ServiceFixture.answer("/api/v1/places", query, from: state)
            }
        }
    }

    @Test func `text without letters or of another script finds nothing and fails nothing`()
        async throws
    {
        for query in ["q=%F0%9F%8C%89", "q=%00", "q=%26%26", "q=.."] {
            #expect(try await places(query).isEmpty)
        }
    }

    @Test func `without roads there are no places`() async throws {
        var parts = try ServiceFixture.parts()
        parts.network = nil
        let state = ServiceState(parts, ServiceSettings())
        do {
            _ = try await ServiceFixture.answer("/api/v1/places", "q=ball", from: state)
            Issue.record("it answers")
        } catch let problem as Problem {
            #expect(problem.status.code == 404 && problem.recovery.contains("/routes/rank"))
        }
    }
}
