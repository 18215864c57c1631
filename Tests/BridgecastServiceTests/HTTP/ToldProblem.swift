// A problem as a client reads it; for tests of refusals.
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import BridgecastService

/// The fields of a problem.
struct ToldProblem: Decodable {
    let type: String
    let title: String
    let status: Int
    let code: String
    let detail: String
    let recovery: String
    let retryAfterS: Int?
    let parameter: String?
    let near: [String]?
    let requestId: String?

    init(_ response: TestResponse) throws {
        #expect(response.headers[.contentType] == "application/problem+json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(
            ToldProblem.self, from: Data(response.body.readableBytesView))
        #expect(status == response.status.code)
        #expect(requestId == response.headers[.requestID])
    }
}
