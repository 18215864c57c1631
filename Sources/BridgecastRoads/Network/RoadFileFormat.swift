// The layout of a network file, for the one who writes it and the one who reads it; models/roads/FORMAT.md says the
// same.

/// Constants of the network format.
package enum RoadFileFormat {
    /// The first eight bytes.
    package static let magic = Array("BCROADS\n".utf8)
    /// The version that is written.
    ///
    /// Since version 2 edges may have a reluctance on top of time, which a program of version 1 would take for time.
    /// Since version 3 arcs have room for bikes, and edges for bikes another reluctance for each kind of it.
    package static let version = 3
    package static let oldestVersion = 1
    /// Magic, version, number of sections, length of the file, digest of all that follows.
    package static let headerBytes = 8 + 4 + 4 + 8 + 32
    /// Number and element size of a section, where it begins, how many elements it has.
    package static let entryBytes = 4 + 4 + 8 + 8
    /// Every section begins at a multiple of this.
    package static let alignment = 16
    /// Files that are longer are refused.
    package static let mostBytes = 1 << 30
    /// How many bytes are read at a time; a multiple of an edge's.
    static let windowBytes = 3 << 16

    /// What a section holds; hierarchies follow each other, `sectionsPerMode` numbers a mode.
    package enum Section: UInt32, CaseIterable {
        /// Name, attribution, source, crossings and places, as JSON.
        case about = 1
        case nodes, arcs, shapes
        /// Names of roads in UTF-8, and where each begins; the last entry is where they end.
        case nameBytes, nameStarts
        /// Rows of eight Float32.
        case paces
    }

    /// Sections of a mode's hierarchy.
    package enum ModeSection: UInt32, CaseIterable {
        /// One number: the first vertex of the core.
        case core
        case vertices, gates, firstUp, upward, firstDown, downward

        /// Its number in a file.
        package func number(_ mode: Int) -> UInt32 { 16 + UInt32(mode) * 16 + rawValue }
    }

    /// An edge as it is stored: what it takes follows from the edges that it stands for.
    package struct Edge: BitwiseCopyable {
        package var other: UInt32
        /// The first of the two edges that it stands for; with the topmost bit set it is single, and the rest is how
        /// many tenths of a second it takes.
        package var first: UInt32
        /// The second one; or the arc of a single edge.
        package var second: UInt32

        package static let single: UInt32 = 1 << 31

        init(_ other: UInt32, _ first: UInt32, _ second: UInt32) {
            (self.other, self.first, self.second) = (other, first, second)
        }

        package init(_ edge: HierarchyEdge) {
            other = edge.other
            second = edge.second
            first = edge.isSingle ? Self.single | UInt32(edge.weights.wrappedSum()) : edge.first
        }

        /// Tenths of a second of a single edge; nil if it stands for two.
        var singleDeciseconds: UInt32? { first & Self.single == 0 ? nil : first & ~Self.single }
    }
}
