// Takes the elements out of one block of a .osm.pbf file; used by PBFReader.
internal import BridgecastCore
internal import Foundation

/// Reads a block of elements: texts are numbered, places and numbers are differences.
///
/// Nothing in a block is trusted: sums that overflow and numbers of texts that are not there are refused.
struct PBFBlockReader {
    private let block: MapElementBlock
    private let texts: [String]
    private let granularity: Int64

    init(_ block: MapElementBlock) throws(RoadExtractProblem) {
        self.block = block
        var texts: [String] = []
        texts.reserveCapacity(block.texts.texts.count)
        for text in block.texts.texts {
            guard let text = String(validating: text, as: UTF8.self) else { throw .notUTF8 }
            texts.append(text)
        }
        self.texts = texts
        granularity = block.hasGranularity ? Int64(block.granularity) : 100
        guard granularity > 0 else { throw .brokenMessage("degrees in steps of \(granularity)") }
    }

    /// Hands all elements over.
    func read(into builder: inout RoadExtractBuilder) throws(RoadExtractProblem) {
        for group in block.groups {
            for node in group.nodes { try add(node, to: &builder) }
            if group.hasDense { try add(group.dense, to: &builder) }
            for way in group.ways { try add(way, to: &builder) }
            for relation in group.relations { try add(relation, to: &builder) }
        }
    }

    private func add(
        _ node: MapPlainNode, to builder: inout RoadExtractBuilder
    ) throws(RoadExtractProblem) {
        try builder.add(
            node: node.id, try degrees(node.latitude, block.latitudeOffset),
            try degrees(node.longitude, block.longitudeOffset), try tags(node.keys, node.values))
    }

    private func add(
        _ dense: MapDenseNodes, to builder: inout RoadExtractBuilder
    ) throws(RoadExtractProblem) {
        let (ids, latitudes, longitudes) = (dense.ids, dense.latitudes, dense.longitudes)
        guard ids.count == latitudes.count, ids.count == longitudes.count else {
            throw .brokenMessage(
                "\(ids.count) nodes with \(latitudes.count) latitudes and \(longitudes.count) longitudes"
            )
        }
        let keysAndValues = dense.keysAndValues
        var (id, latitude, longitude, next): (Int64, Int64, Int64, Int) = (0, 0, 0, 0)
        for index in ids.indices {
            id = try Self.sum(id, ids[index])
            latitude = try Self.sum(latitude, latitudes[index])
            longitude = try Self.sum(longitude, longitudes[index])
            try builder.add(
                node: id, try degrees(latitude, block.latitudeOffset),
                try degrees(longitude, block.longitudeOffset), try tags(keysAndValues, &next))
        }
        guard next == keysAndValues.count else { throw .brokenMessage("tags that are no node's") }
    }

    private func add(
        _ way: MapPlainWay, to builder: inout RoadExtractBuilder
    ) throws(RoadExtractProblem) {
        try builder.add(way: way.id, try Self.sums(way.nodes), try tags(way.keys, way.values))
    }

    private func add(
        _ relation: MapPlainRelation, to builder: inout RoadExtractBuilder
    ) throws(RoadExtractProblem) {
        let ids = try Self.sums(relation.members)
        guard ids.count == relation.roles.count, ids.count == relation.kinds.count else {
            throw .brokenMessage("a relation's members, roles and kinds are not as many")
        }
        var members: [RelationMember] = []
        for index in ids.indices {
            let kind = Int(relation.kinds[index])
            guard RoadElement.Kind.allCases.indices.contains(kind) else {
                throw .brokenMessage("a relation's member of unknown kind \(kind)")
            }
            members.append(
                RelationMember(
                    kind: RoadElement.Kind.allCases[kind], id: ids[index],
                    role: try text(relation.roles[index])))
        }
        try builder.add(relation: relation.id, members, try tags(relation.keys, relation.values))
    }

    // MARK: Numbers and texts

    private static func sum(_ a: Int64, _ b: Int64) throws(RoadExtractProblem) -> Int64 {
        let (sum, overflows) = a.addingReportingOverflow(b)
        guard !overflows else { throw .brokenMessage("a number over 64 bits") }
        return sum
    }

    private static func sums(_ differences: [Int64]) throws(RoadExtractProblem) -> [Int64] {
        var (sums, last): ([Int64], Int64) = ([], 0)
        sums.reserveCapacity(differences.count)
        for difference in differences {
            last = try sum(last, difference)
            sums.append(last)
        }
        return sums
    }

    /// Degrees: one division of whole numbers, so that 7 decimals come out as the same number that text gives.
    private func degrees(_ steps: Int64, _ offset: Int64) throws(RoadExtractProblem) -> Double {
        let (product, overflows) = steps.multipliedReportingOverflow(by: granularity)
        guard !overflows else { throw .brokenMessage("a number over 64 bits") }
        return Double(try Self.sum(product, offset)) / 1e9
    }

    private func text(_ number: some BinaryInteger) throws(RoadExtractProblem) -> String {
        guard let index = Int(exactly: number), texts.indices.contains(index) else {
            throw .brokenMessage("text \(number) of \(texts.count)")
        }
        return texts[index]
    }

    private func tags(
        _ keys: [UInt32], _ values: [UInt32]
    ) throws(RoadExtractProblem) -> RoadTags {
        guard keys.count == values.count else {
            throw .brokenMessage("\(keys.count) keys of tags with \(values.count) values")
        }
        var tags: [RoadTags.Tag] = []
        tags.reserveCapacity(keys.count)
        for index in keys.indices {
            tags.append(RoadTags.Tag(key: try text(keys[index]), value: try text(values[index])))
        }
        return RoadTags(tags)
    }

    /// The tags of the next node of a dense list, which end with 0; the list is empty if no node has any.
    private func tags(
        _ keysAndValues: [Int32], _ next: inout Int
    ) throws(RoadExtractProblem) -> RoadTags {
        guard !keysAndValues.isEmpty else { return [:] }
        var tags: [RoadTags.Tag] = []
        while true {
            guard next < keysAndValues.count else {
                throw .brokenMessage("a node's tags do not end")
            }
            let key = keysAndValues[next]
            next += 1
            guard key != 0 else { return RoadTags(tags) }
            guard next < keysAndValues.count else { throw .brokenMessage("a tag without a value") }
            tags.append(
                RoadTags.Tag(key: try text(key), value: try text(keysAndValues[next])))
            next += 1
        }
    }
}
