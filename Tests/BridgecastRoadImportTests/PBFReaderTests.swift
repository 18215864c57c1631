// Refusals of PBF: headers, packings, numbers that contradict each other.
import Foundation
import Testing
@testable import BridgecastRoadImport

@Suite struct BlockRefusalTests {
    private static func problem(_ bytes: [UInt8]) -> RoadExtractProblem? {
        do throws(RoadExtractError) {
            _ = try RoadExtract(bytes: bytes, name: "f")
            return nil
        } catch {
            return error.problem
        }
    }

    /// The problem of a file of one block of elements.
    private static func problem(_ fill: (inout MapElementGroup) -> Void) -> RoadExtractProblem? {
        problem(Town.head + TownBlocks.block(["a", "b"], fill).file())
    }

    @Test func `headers and blocks that are too large are refused unread`() {
        var long = Town.head
        long[1] = 1
        #expect(Self.problem(long) == .blobHeaderTooLarge(bytes: 65_549, maxBytes: 65_536))
        long[0] = 0xff
        guard case .blobHeaderTooLarge = Self.problem(long) else {
            Issue.record("a head of 4 GiB")
            return
        }
        var head = MapBlockHead()
        head.type = "OSMData"
        head.bytes = 33 << 20
        let bytes = Town.bytes(of: head)
        let file = Town.head + [0, 0, 0, UInt8(bytes.count)] + bytes
        #expect(Self.problem(file) == .blobTooLarge(bytes: 33 << 20, maxBytes: 32 << 20))
        var block = MapPackedBlock()
        block.zlib = Data([1])
        block.unpackedBytes = 33 << 20
        #expect(
            Self.problem(Town.head + block.file("OSMData"))
                == .blobTooLarge(bytes: 33 << 20, maxBytes: 32 << 20))
    }

    @Test func `errors in a block are located at its first byte`() {
        let file = Town.head + MapPackedBlock().file("OSMData")
        let error = #expect(throws: RoadExtractError.self) {
            try RoadExtract(bytes: file, name: "f.pbf")
        }
        #expect(error?.problem == .emptyBlob && error?.location.byte == Town.head.count)
        #expect(
            error?.description
                == "f.pbf: byte \(Town.head.count): a block without content. Download the file again"
        )
    }

    @Test func `other compressions of blocks are named`() {
        let fields: [(WritableKeyPath<MapPackedBlock, Data>, String)] = [
            (\.lzma, "LZMA"), (\.bzip2, "bzip2"), (\.lz4, "LZ4"), (\.zstd, "Zstandard"),
        ]
        for (field, name) in fields {
            var block = MapPackedBlock()
            block[keyPath: field] = Data([1, 2, 3])
            #expect(Self.problem(Town.head + block.file("OSMData")) == .packedAs(name))
        }
    }

    @Test func `sizes of blocks must be correct`() {
        let content = [UInt8](repeating: 0, count: 100)
        var block = MapPackedBlock(packing: content, asZlib: true)
        block.unpackedBytes = 101
        #expect(
            Self.problem(Town.head + block.file("OSMData")) == .blobSize(stated: 101, unpacked: 100)
        )
        block.unpackedBytes = 50
        #expect(
            Self.problem(Town.head + block.file("OSMData"))
                == .damagedPacking("a block has more than the stated 50 bytes"))
        block.zlib = block.zlib.dropLast(5)
        block.unpackedBytes = 100
        #expect(
            Self.problem(Town.head + block.file("OSMData"))
                == .damagedPacking("a block ends too early"))
    }

    @Test func `unsupported features are named`() {
        #expect(
            Self.problem(Town.headBlock(["OsmSchema-V0.6", "HistoricalInformation"]))
                == .needsFeature("HistoricalInformation"))
        #expect(
            RoadExtractProblem.needsFeature("HistoricalInformation").description
                .hasSuffix("osmium time-filter IN -o OUT"))
        let error = #expect(throws: RoadExtractError.self) {
            try RoadExtract(bytes: Town.headBlock(["Teleports"]), name: "f")
        }
        #expect(
            error?.description
                == "f: byte 0: needs 'Teleports', which is not supported; convert it: osmium cat IN -o OUT"
        )
        #expect(Self.problem(TownBlocks.all[0].file()) == .headerMissing)
    }

    private static let contradictions: [(String, @Sendable (inout MapElementGroup) -> Void)] = [
        (
            "2 nodes with 1 latitudes and 2 longitudes",
            { group in
                group.dense.ids = [1, 1]
                group.dense.latitudes = [1]
                group.dense.longitudes = [1, 1]
            }
        ),
        (
            "the tags of a node do not end",
            { group in
                group.dense.ids = [1]
                group.dense.latitudes = [1]
                group.dense.longitudes = [1]
                group.dense.keysAndValues = [1, 2]
            }
        ),
        ("tags without a node", { group in group.dense.keysAndValues = [1, 2, 0] }),
        ("text 3 of 3", { group in group.ways = [TownBlocks.way(1, [], [1: 3])] }),
        (
            "a number over 64 bits",
            { group in
                group.ways = [TownBlocks.way(1, [.max, 1], [:])]
            }
        ),
        (
            "1 keys with 0 values",
            { group in
                var way = MapPlainWay()
                way.keys = [1]
                group.ways = [way]
            }
        ),
        (
            "a relation with different numbers of members, roles and kinds",
            { group in
                var relation = MapPlainRelation()
                relation.members = [1]
                group.relations = [relation]
            }
        ),
        (
            "a relation member of unknown kind 3",
            { group in
                var relation = MapPlainRelation()
                relation.members = [1]
                relation.roles = [1]
                relation.kinds = [3]
                group.relations = [relation]
            }
        ),
    ]

    @Test func `contradictory numbers are refused`() {
        for (message, fill) in Self.contradictions {
            #expect(Self.problem(fill) == .brokenMessage(message))
        }
        #expect(
            Self.problem { group in
                var node = MapPlainNode()
                node.latitude = 900_000_001
                group.nodes = [node]
            } == .outOfRange(latitude: 90.0000001, longitude: 0))
    }

    @Test func stepsOfDegreesArePositive() {
        var block = TownBlocks.all[0]
        block.granularity = 0
        #expect(Self.problem(Town.head + block.file()) == .brokenMessage("degrees in steps of 0"))
    }

    @Test func textsAreUTF8() {
        var block = TownBlocks.all[0]
        block.texts.texts.append(Data([0xe9]))
        #expect(Self.problem(Town.head + block.file()) == .notUTF8)
    }

    /// Blocks of kinds that come later are no reason to refuse what is known.
    @Test func blocksOfOtherKindsAreSkipped() {
        var block = MapPackedBlock()
        block.zstd = Data([1])
        #expect(Self.problem(Town.head + block.file("OSMIndex")) == nil)
    }
}
