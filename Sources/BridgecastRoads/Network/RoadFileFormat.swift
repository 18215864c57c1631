// The layout of a network file; models/roads/FORMAT.md describes it.
import BridgecastCore

package enum RoadFileFormat {
    /// The first eight bytes.
    package static let magic = Array("BCROADS\n".utf8)
    /// The version that is written.
    ///
    /// Since version 2 edges may include a reluctance on top of time, which a program of version 1 would take for time.
    /// Since version 3 arcs have room for bikes, and bike edges a reluctance for each kind of it.
    package static let version = 3
    package static let oldestVersion = 1
    /// Magic, version, number of sections, length of the file, digest of all that follows.
    package static let headerBytes = 8 + 4 + 4 + 8 + 32
    /// Number and element size of a section, its offset, its number of elements.
    package static let entryBytes = 4 + 4 + 8 + 8
    /// Every section begins at a multiple of this.
    package static let alignment = 16
    /// Files that are longer are refused.
    package static let maxBytes = 1 << 30
    /// Bytes read at a time; a multiple of an edge's size.
    static let windowBytes = 3 << 16

    /// Sections of the map; those of hierarchies have numbers from 16 on, 16 a mode.
    package enum Section: UInt32, CaseIterable {
        /// Name, attribution, source, crossings and places, as JSON.
        case about = 1
        case nodes, arcs, shapes
        /// Names of roads in UTF-8, and where each begins; the last entry is where they end.
        case nameBytes, nameStarts
        /// Rows of eight Float32.
        case paces
    }

    package enum ModeSection: UInt32, CaseIterable {
        /// One number: the first vertex of the core.
        case core
        case vertices, gates, firstUp, upward, firstDown, downward

        package func number(_ mode: Int) -> UInt32 { 16 + UInt32(mode) * 16 + rawValue }
    }

    /// A stored edge: the time of a shortcut follows from the two edges that it replaces.
    package struct Edge: BitwiseCopyable {
        package var other: UInt32
        /// A shortcut's first edge; with the top bit set, the deciseconds of a single edge.
        package var first: UInt32
        /// The second edge of a shortcut, or the arc of a single edge.
        package var second: UInt32

        package static let single: UInt32 = 1 << 31

        init(other: UInt32, first: UInt32, second: UInt32) {
            self.other = other
            self.first = first
            self.second = second
        }

        package init(_ edge: HierarchyEdge) {
            other = edge.other
            second = edge.second
            first = edge.isSingle ? Self.single | UInt32(edge.weights.wrappedSum()) : edge.first
        }

        /// Tenths of a second of a single edge; nil for a shortcut.
        var singleDeciseconds: UInt32? { first & Self.single == 0 ? nil : first & ~Self.single }
    }
}

package struct RoadFileAbout: Codable {
    package struct Crossing: Codable {
        let name: String
        /// The city's id of the drawbridge.
        let bridge: Int?
        let latitude, longitude: Double
    }

    package struct Place: Codable {
        let name: String
        let aliases: [String]
        let kind: UInt8
        let latitude, longitude: Double

        init(_ place: BridgecastRoads.Place) {
            name = place.name
            aliases = place.aliases
            kind = place.kind.rawValue
            latitude = place.point.latitude
            longitude = place.point.longitude
        }

        var place: BridgecastRoads.Place {
            BridgecastRoads.Place(
                name: name, aliases: aliases,
                kind: BridgecastRoads.Place.Kind(rawValue: kind) ?? .landmark,
                point: GeoPoint(latitude: latitude, longitude: longitude))
        }
    }

    let name, attribution, source: String
    let crossings: [Crossing]
    let places: [Place]
    /// Places outside of the network; nil if none.
    let outerPlaces: [Place]?
    /// What the hierarchies include on top of time; nil if nothing.
    let reluctance: Reluctance?

    package struct Reluctance: Codable {
        let localShare, enteringSeconds, bikeLocalShare, bikeArterialShare: Double
        /// Since version 3; before, no arc has room for bikes, and no arterial is busier than others.
        let bikeGreenwayShare, bikeTrackShare, bikeLaneShare, bikeSharrowShare,
            bikeBusyShare: Double?

        init(_ value: BridgecastRoads.Reluctance) {
            localShare = value.localShare
            enteringSeconds = value.enteringSeconds
            bikeLocalShare = value.bike.local
            bikeArterialShare = value.bike.arterial
            bikeGreenwayShare = value.bike.greenway
            bikeTrackShare = value.bike.track
            bikeLaneShare = value.bike.lane
            bikeSharrowShare = value.bike.sharrows
            bikeBusyShare = value.bike.busy
        }

        /// Whether all numbers of version 3 are present, or none.
        var isComplete: Bool {
            let known = [
                bikeGreenwayShare, bikeTrackShare, bikeLaneShare, bikeSharrowShare, bikeBusyShare,
            ].count { $0 != nil }
            return known == 0 || known == 5
        }

        var value: BridgecastRoads.Reluctance {
            BridgecastRoads.Reluctance(
                localShare: localShare, enteringSeconds: enteringSeconds,
                bike: BikeReluctance(
                    local: bikeLocalShare, greenway: bikeGreenwayShare ?? bikeLocalShare,
                    track: bikeTrackShare ?? bikeArterialShare,
                    lane: bikeLaneShare ?? bikeArterialShare,
                    sharrows: bikeSharrowShare ?? bikeArterialShare, arterial: bikeArterialShare,
                    busy: bikeBusyShare ?? bikeArterialShare))
        }
    }

    package init(_ network: RoadNetwork) {
        name = network.name
        attribution = network.attribution
        source = network.source
        reluctance = network.reluctance == .none ? nil : Reluctance(network.reluctance)
        crossings = network.crossings.map { crossing in
            Crossing(
                name: crossing.name,
                bridge: crossing.bridge.map { Int(BridgeCatalogue[$0].id.rawValue) },
                latitude: crossing.point.latitude, longitude: crossing.point.longitude)
        }
        places = network.places.map(Place.init)
        outerPlaces = network.outerPlaces.isEmpty ? nil : network.outerPlaces.map(Place.init)
    }
}
