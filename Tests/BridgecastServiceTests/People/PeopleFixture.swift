// A folder of people for tests, which is removed with the fixture.
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import Foundation

@testable import BridgecastService

final class PeopleFixture: Sendable {
    let folder: URL
    /// Of a person called Ann.
    let token: String
    /// Of a person called Bob.
    let otherToken: String

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bridgecast-people-\(UUID().uuidString)")
        let people = try PeopleStore(folder, .writing)
        defer { people.close() }
        token = try people.add("Ann", now: ServiceFixture.evening)
        otherToken = try people.add("Bob", now: ServiceFixture.evening)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// - Parameter key: The key of all journals; nil if they are not encrypted.
    func access(key: StoreKey? = nil) throws -> PersonAccess {
        PersonAccess(try PeopleStore(folder, .reading, journalKey: key))
    }
}
