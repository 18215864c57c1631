// What OpenStreetMap says of a node, a way or a relation; part of RoadExtract.

/// The tags of an element, ordered by key; each key once.
public struct RoadTags: Sendable, Equatable {
    /// A key and what it is set to.
    public struct Tag: Sendable, Hashable {
        /// What it is about, such as `highway`.
        public let key: String
        /// What is said, such as `residential`.
        public let value: String
    }

    private let tags: [Tag]

    /// Takes tags in any order; of two with one key the first counts.
    init(_ tags: [Tag]) {
        if zip(tags, tags.dropFirst()).allSatisfy({ $0.key < $1.key }) {
            self.tags = tags
        } else {
            let unique = Dictionary(tags.map { ($0.key, $0.value) }) { first, _ in first }
            self.tags = unique.map { Tag(key: $0.key, value: $0.value) }.sorted { $0.key < $1.key }
        }
    }

    /// The value of a key, or nil; O(n), and an element has a handful.
    public subscript(key: String) -> String? { tags.first { $0.key == key }?.value }
}

extension RoadTags: RandomAccessCollection {
    /// The place of the first tag.
    public var startIndex: Int { 0 }
    /// The place behind the last tag.
    public var endIndex: Int { tags.count }
    /// A tag by its place.
    public subscript(position: Int) -> Tag { tags[position] }
}

extension RoadTags: ExpressibleByDictionaryLiteral {
    /// Tags that are written out.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Tag(key: $0.0, value: $0.1) })
    }
}
