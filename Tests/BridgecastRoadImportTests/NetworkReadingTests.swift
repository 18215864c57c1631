// Network files as they are read from first to last: of a file or of memory, whole or cut short, at whatever byte.
import BridgecastCore
@testable import BridgecastRoadImport
@testable import BridgecastRoads
import BridgecastDigest
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct NetworkReadingTests {
    @Test func allHierarchiesAreReadAsTheyWereWritten() throws {
        let town = try NetworkTrial.town()
        let bytes = try RoadFileWriter.bytes(of: town)
        let read = try withFile(bytes, "town.roads") { try RoadNetwork(contentsOf: $0) }
        for mode in Route.Mode.allCases {
            let (written, found) = (town.hierarchy(mode), read.hierarchy(mode))
            #expect(!written.upward.isEmpty && found.upward == written.upward)
            #expect(found.downward == written.downward && found.gates == written.gates)
            #expect(found.firstUp == written.firstUp && found.firstDown == written.firstDown)
            #expect(found.vertices == written.vertices)
            // Made once, and the same for all copies.
            #expect(read.hierarchy(mode) === found)
        }
        #expect(try RoadFileWriter.bytes(of: read) == bytes)
    }

    @Test func aFileCutShortAnywhereIsRefused() throws {
        let bytes = Array(try RoadFileWriter.bytes(of: try NetworkTrial.town()))
        let lengths = [0, 1, 55, 56, 57, 200, bytes.count / 2, bytes.count - 1]
        for length in lengths {
            #expect(throws: RoadNetworkError.self, "\(length) bytes") {
                try withFile(bytes.prefix(length), "cut.roads") { try RoadNetwork(contentsOf: $0) }
            }
            // With a length that says so, too.
            let mended = NetworkMutants.mended(Array(bytes.prefix(length)))
            #expect(throws: RoadNetworkError.self, "\(length) bytes, mended") {
                try RoadNetwork(Data(mended))
            }
        }
    }

    /// Whatever else such a byte makes impossible: the digest is what tells.
    @Test func aByteThatChangedIsDamageWhereverItLies() throws {
        let bytes = Array(try RoadFileWriter.bytes(of: try NetworkTrial.town()))
        for place in stride(from: 56, to: bytes.count, by: 97) {
            var changed = bytes
            changed[place] ^= 0x80
            #expect { try RoadNetwork(Data(changed)) } throws: { error in
                guard case .damaged(_, let problem)? = error as? RoadNetworkError else {
                    return false
                }
                return problem == "its digest is not that of its bytes"
            }
        }
    }

    @Test func theDigestOfAFileIsThatOfAllItsBytes() throws {
        let bytes = try RoadFileWriter.bytes(of: try NetworkTrial.town())
        let found = try withFile(bytes, "town.roads") { try RoadFileBytes.digest(of: $0) }
        #expect(found.count == bytes.count && found.sha256 == SHA256.hash(bytes))
    }

    @Test func whatIsNoFileIsRefused() throws {
        for path in ["/", "/dev/null", "/nowhere/at/all.roads"] {
            #expect { try RoadNetwork(contentsOf: URL(fileURLWithPath: path)) } throws: { error in
                guard case .unreadable? = error as? RoadNetworkError else { return false }
                return true
            }
        }
    }
}
