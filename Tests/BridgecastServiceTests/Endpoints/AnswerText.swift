// Answers of handlers as what a client reads of them; for tests of endpoints.
import Foundation
import Testing

@testable import BridgecastService

extension ServiceAnswer {
    /// The body as a JSON object.
    func object() throws -> [String: Any] {
        let bytes = ServiceFixture.bytes(self)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}

/// The problem that a handler answers with; nil if it answers.
func problem(_ body: () async throws -> ServiceAnswer) async throws -> Problem? {
    do {
        _ = try await body()
        return nil
    } catch let problem as Problem {
        return problem
    }
}
