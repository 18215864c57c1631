// `replay --format ndjson`: a document on a line for each forecast and event, as the service has it.
import Foundation
import Testing

@Suite struct LiveDocumentTests {
    @Test func aReplayAsJSONSaysEverythingWithItsTime() async throws {
        try await withHome { home in
            let run = try await CommandRun(
                process: [
                    "replay", "--from", "2026-02-20T17:58", "--to", "2026-02-20T18:05", "--speed",
                    "max", "--format", "ndjson",
                ], home: home)
            let boards = try run.output.split(separator: "\n").map {
                try #require(
                    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            #expect(boards.count >= 6)
            let last = try #require(boards.last)
            #expect(last["phase"] as? String == "ready")
            let bridges = try #require(last["bridges"] as? [[String: Any]])
            #expect(bridges.count == 7)
            #expect(
                bridges.first { $0["bridge"] as? String == "University" }?["state"] as? String
                    == "unknown")
            let outlook = try #require(bridges[0]["outlook"] as? [[String: Any]])
            #expect(
                outlook.count == 25
                    && outlook.allSatisfy {
                        (0...1).contains($0["probability_stopped"] as? Double ?? -1)
                    })
            #expect((last["sources"] as? [[String: Any]])?.first?["fetched_at"] is String)
            let events = boards.flatMap { $0["events"] as? [[String: Any]] ?? [] }
            #expect(
                events.contains { ($0["text"] as? String)?.hasPrefix("Ballard raised") == true })
            let ids = events.compactMap { $0["id"] as? Int }
            #expect(ids == Array(Set(ids)).sorted(), "each is told once")
        }
    }
}
