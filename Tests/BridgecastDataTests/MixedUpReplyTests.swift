// Replies of services with their values mixed up at random: each is read or refused.
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct MixedUpReplyTests: RouteServiceSuite {
    /// Values of documents put in other places, and other values in theirs: an answer or a typed error, never an
    /// end of the process.
    @Test func mixedUpRepliesAreReadOrRefused() throws {
        var random = SeededGenerator(seed: 14)
        let documents = [
            path(
                "\"\(encoded(Self.line))\"",
                "\"details\": \(details), \"instructions\": \(instructions), \"points_encoded_multiplier\": 100000.0"
            ),
            "{\"plan\": {\"itineraries\": [\(itinerary), \(itinerary)]}}",
            """
            {"code": "Ok", "routes": [{"geometry": "\(encoded(Self.line))", "duration": 600, "legs": [{"duration": 600,
              "annotation": {"duration": [100, 60, 200, 240]}, "steps": [{"distance": 600, "duration": 160,
              "maneuver": {"type": "depart"}, "geometry": "\(encoded(Self.line))"}]}]}]}
            """,
            """
            {"trip": {"legs": [{"shape": "\(encoded(Self.line, 6))", "summary": {"time": 420},
              "maneuvers": [{"time": 420, "length": 2, "begin_shape_index": 0, "end_shape_index": 4}]}]}}
            """,
            """
            {"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"duration": 600},
              "geometry": {"type": "MultiLineString", "coordinates": [\(coordinates(Self.line))]}}]}
            """,
        ].map { try? JSONSerialization.jsonObject(with: Data($0.utf8)) }
        let odd: [Any] = [
            NSNull(), -1, 0, 1e300, -1e300, 1e-300, true, "", "\u{1b}[2J", [Any](), [String: Any](),
            [[1]],
            9_223_372_036_854_775_807, "nan", [[0, 4, 1e300]], [NSNull()],
        ]
        func changed(_ value: Any, _ depth: Int) -> Any {
            if Int.random(in: 0..<12, using: &random) == 0, depth > 0 {
                return odd.randomElement(using: &random) ?? 0
            }
            if let object = value as? [String: Any] {
                return Dictionary(
                    uniqueKeysWithValues: object.sorted { $0.key < $1.key }.map {
                        ($0.key, changed($0.value, depth + 1))
                    })
            }
            return (value as? [Any]).map { $0.map { changed($0, depth + 1) } } ?? value
        }
        var (read, refused) = (0, 0)
        for round in 0..<5_000 {
            let document = try #require(documents[round % documents.count])
            let data = try JSONSerialization.data(withJSONObject: changed(document, 0))
            do throws(DocumentProblem) {
                let candidates = try CandidateFile.candidates(data, mode: .car)
                read += 1
                for route in candidates.routes {
                    #expect(minutes(route).allSatisfy { $0 >= 0 && $0 <= 1_440 })
                }
            } catch {
                refused += 1
                #expect(!error.description.isEmpty)
            }
        }
        #expect(read > 500 && refused > 500)
    }
}
