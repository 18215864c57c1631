// The town's elements as blocks of PBF; put into a file by Town.
@testable import BridgecastRoadImport
import Foundation

/// Blocks of elements with numbered texts and differences in place of numbers.
enum TownBlocks {
    static let all = [plainNode, denseNodes, ways, relations]

    private static let plainNode = block([]) { group in
        var node = MapPlainNode()
        (node.id, node.latitude, node.longitude) = (1, 476_000_000, -1_223_300_000)
        group.nodes = [node]
    }

    /// In whole units of 1e-9 degrees, from a corner of their own.
    private static let denseNodes: MapElementBlock = {
        var texts = block([
            "highway", "traffic_signals", "source", "survey", "place", "square", "name",
            "Café \"Nord\"",
        ]) { group in
            group.dense.ids = [2, -5, 8_766_312_110, -8_766_312_102]
            group.dense.latitudes = [651_234_500, -47_651_234_600, 47_610_000_100, 10_000_000]
            group.dense.longitudes = [
                -2_323_456_700, 302_323_456_700, -302_340_000_000, -10_000_000,
            ]
            group.dense.keysAndValues = [1, 2, 0, 0, 3, 4, 0, 5, 6, 7, 8, 0]
        }
        texts.granularity = 1
        (texts.latitudeOffset, texts.longitudeOffset) = (47_000_000_000, -120_000_000_000)
        return texts
    }()

    private static let ways = block([
        "highway", "residential", "name", "A street of more than fifteen bytes", "primary",
        "oneway", "yes",
    ]) { group in
        group.ways = [
            way(10, [1, 1, -5], [1: 2, 3: 4]),
            way(11, [2, 8_766_312_105, -8_766_312_008], [1: 5, 6: 7]),
            way(12, [], [:]),
        ]
    }

    private static let relations = block([
        "from", "via", "to", "type", "restriction", "no_left_turn", "no_u_turn", "multipolygon",
    ]) { group in
        group.relations = [
            relation(20, [10, -8, 9], kinds: [1, 0, 1], [4: 5, 5: 6]),
            relation(21, [10, 2, -1], kinds: [1, 1, 1], [4: 5, 5: 7]),
            relation(22, [], kinds: [], [4: 5, 5: 6]),
            relation(23, [], kinds: [], [4: 8]),
        ]
    }

    /// A block with texts numbered from 1.
    static func block(
        _ texts: [String], _ fill: (inout MapElementGroup) -> Void
    ) -> MapElementBlock {
        var (block, group) = (MapElementBlock(), MapElementGroup())
        fill(&group)
        block.texts.texts = ([""] + texts).map { Data($0.utf8) }
        block.groups = [group]
        return block
    }

    static func way(_ id: Int64, _ nodes: [Int64], _ tags: [UInt32: UInt32]) -> MapPlainWay {
        var way = MapPlainWay()
        (way.id, way.nodes) = (id, nodes)
        (way.keys, way.values) = (tags.map(\.key), tags.map(\.value))
        return way
    }

    private static func relation(
        _ id: Int64, _ members: [Int64], kinds: [Int32], _ tags: [UInt32: UInt32]
    ) -> MapPlainRelation {
        var relation = MapPlainRelation()
        (relation.id, relation.members, relation.kinds) = (id, members, kinds)
        relation.roles = members.indices.map { Int32($0 + 1) }
        (relation.keys, relation.values) = (tags.map(\.key), tags.map(\.value))
        return relation
    }
}
