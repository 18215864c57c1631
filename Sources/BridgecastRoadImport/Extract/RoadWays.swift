// The ways of an extract in flat lists: a state has a million; part of RoadExtract.

/// The ways of an extract, in the order of the file.
public struct RoadWays: Sendable, Equatable {
    /// A line of the map.
    public struct Way: Sendable, Equatable {
        /// Its number in OpenStreetMap.
        public let id: Int64
        /// The numbers of its nodes, in order; may be none, and may name nodes that the extract does not hold.
        public let nodes: ArraySlice<Int64>
        /// What is said of it.
        public let tags: RoadTags
    }

    private var ids: [Int64] = []
    private var tags: [RoadTags] = []
    private var nodes: [Int64] = []
    /// Where in `nodes` each way's end.
    private var ends: [Int] = []

    mutating func append(
        _ id: Int64, nodes wayNodes: some Collection<Int64>, tags wayTags: RoadTags
    ) {
        ids.append(id)
        tags.append(wayTags)
        nodes += wayNodes
        ends.append(nodes.count)
    }
}

extension RoadWays: RandomAccessCollection {
    /// The place of the first way.
    public var startIndex: Int { 0 }
    /// The place behind the last way.
    public var endIndex: Int { ids.count }
    /// A way by its place.
    public subscript(position: Int) -> Way {
        let start = position == 0 ? 0 : ends[position - 1]
        return Way(id: ids[position], nodes: nodes[start..<ends[position]], tags: tags[position])
    }
}
