// Whatever bytes an extract holds: it is read or refused.
import BridgecastCore
@testable import BridgecastRoadImport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RoadExtractFuzzTests {
    /// Mutated JSON and PBF, plain and packed, and what PBF packs.
    @Test func anyBytesAreReadOrRefused() async {
        let fuzz = FuzzRun(usually: 12_000)
        let total = await fuzz.results(Self.run).reduce(into: Tally()) { $0.add($1) }
        #expect(total.read.reduce(0, +) + total.refused.reduce(0, +) == fuzz.cases)
        for form in Self.seeds.indices {
            #expect(total.read[form] > 0 && total.refused[form] > 0, "form \(form)")
        }
        if !fuzz.isUsual {
            print(
                "\(fuzz.cases) extracts from seed \(fuzz.seed): JSON, PBF, its blocks, packed: "
                    + "\(total.read) read with \(total.elements) elements, \(total.refused) refused; "
                    + "the longest took \(total.longest)")
        }
    }

    private struct Tally: Sendable {
        var read = [Int](repeating: 0, count: 4)
        var refused = [Int](repeating: 0, count: 4)
        var elements = 0
        var longest = Duration.zero

        mutating func add(_ other: Tally) {
            for form in read.indices {
                read[form] += other.read[form]
                refused[form] += other.refused[form]
            }
            elements += other.elements
            longest = max(longest, other.longest)
        }
    }

    private static let seeds: [[UInt8]] = [
        Town.json, Town.pbf, Town.bytes(of: TownBlocks.all[1]), Town.packed(Town.json),
    ]

    private static func run(_ cases: Int, _ seed: UInt64) -> Tally {
        var random = SeededGenerator(seed: seed)
        let clock = ContinuousClock()
        var tally = Tally()
        for _ in 0..<cases {
            let form = Int.random(in: seeds.indices, using: &random)
            var bytes = mutated(seeds[form], words: words, &random)
            // A block's own bytes come after checks that a mutation of the file does not pass.
            if form == 2 {
                bytes = Town.head + MapPackedBlock(packing: bytes, asZlib: true).file("OSMData")
            }
            let start = clock.now
            let extract = try? RoadExtract(bytes: bytes, name: "f")
            tally.longest = max(tally.longest, clock.now - start)
            if let extract {
                tally.read[form] += 1
                tally.elements += extract.nodes.count + extract.ways.count
                for way in extract.ways { tally.elements += way.nodes.isEmpty ? 0 : 1 }
                #expect(extract.nodes.allSatisfy { abs($0.point.latitude) <= 90 })
            } else {
                tally.refused[form] += 1
            }
        }
        return tally
    }

    private static let words: [[UInt8]] =
        [
            "\"", "<", "/>", "<!--", "-->", "<!DOCTYPE osm>", "<![CDATA[", "&amp;", "&#0;", "&lt",
            "[",
            "]", "{", "}", "\\u", "\\ud800", "\u{0}", "\u{FEFF}", "null", "1e999", "-",
            "9999999999999999999", "'", "é", ",", "\"elements\":", "<way id='1'>", "</osm>",
        ].map { Array($0.utf8) } + [[0xff], [0x80, 0x80, 0x80, 0x80, 0x10], [0x1f, 0x8b]]
}
