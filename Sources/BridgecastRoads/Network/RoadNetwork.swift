// A city's roads for every mode: what an import makes and a network file holds.
package import BridgecastCore
public import BridgecastSupport
public import Foundation
private import Synchronization

/// A road network for cars, bikes and people on foot, made by `bridgecast roads import`.
///
/// Times on a road depend on when it is entered, by ``PaceGroup`` and quarter of an hour, and are
/// first-in-first-out: a car that enters a road later leaves it later.
public struct RoadNetwork: Sendable {
    /// Display name, such as "Seattle".
    public let name: String
    /// Who provides the data; shown wherever routes or maps are.
    public let attribution: String
    /// The name of the extract that it was made from, and its date.
    public let source: String
    /// Everything with a name that can be a start or an end, except street corners.
    public let places: [Place]
    /// Named places that no road of the network leads to.
    package let outerPlaces: [Place]
    /// Crossings of water, drawbridges among them.
    public let crossings: [Crossing]

    package let map: RoadMap
    package let paces: PaceTable
    /// What its hierarchies include on top of time.
    package let reluctance: Reluctance
    /// By ``Route/Mode``, in order of its cases; laid out for the search when first used.
    private let lazyHierarchies: [Lazy<RoadHierarchy>]
    /// Made when places are first looked for.
    private let lazyGrid: Lazy<RoadGrid>
    private let lazyPlaceIndex: Lazy<PlaceIndex>
    private let lazyStreetIndex: Lazy<StreetIndex>

    /// Identifies the network: anchors of one are invalid on another.
    package let identity: Identity

    package final class Identity: Sendable {}

    /// - Precondition: Indices are valid, and there is a hierarchy for every mode.
    package init(
        name: String, attribution: String, source: String, places: [Place],
        outerPlaces: [Place] = [], crossings: [Crossing], map: RoadMap, paces: PaceTable,
        reluctance: Reluctance = .none, hierarchies: [RoadHierarchy]
    ) {
        self.init(
            name: name, attribution: attribution, source: source, places: places,
            outerPlaces: outerPlaces, crossings: crossings, map: map, paces: paces,
            reluctance: reluctance, hierarchies: hierarchies.map { Lazy($0) })
    }

    init(
        name: String, attribution: String, source: String, places: [Place],
        outerPlaces: [Place], crossings: [Crossing], map: RoadMap, paces: PaceTable,
        reluctance: Reluctance, hierarchies: [Lazy<RoadHierarchy>]
    ) {
        self.name = name
        self.attribution = attribution
        self.source = source
        self.places = places
        self.outerPlaces = outerPlaces
        self.crossings = crossings
        self.map = map
        self.paces = paces
        self.reluctance = reluctance
        identity = Identity()
        lazyHierarchies = hierarchies
        let grid = Lazy { RoadGrid(map) }
        lazyGrid = grid
        lazyPlaceIndex = Lazy { PlaceIndex(places, sights: Self.sights(on: map, grid.value)) }
        lazyStreetIndex = Lazy { StreetIndex(map) }
    }

    package func hierarchy(_ mode: Route.Mode) -> RoadHierarchy {
        lazyHierarchies[mode.index].value
    }

    /// The hierarchies of all modes, in order of ``Route/Mode``'s cases.
    package var hierarchies: [RoadHierarchy] { Route.Mode.allCases.map(hierarchy) }

    var grid: RoadGrid { lazyGrid.value }
    var placeIndex: PlaceIndex { lazyPlaceIndex.value }
    var streetIndex: StreetIndex { lazyStreetIndex.value }
}

extension Route.Mode {
    /// Its index in tables by mode.
    package var index: Int {
        switch self {
        case .car: 0
        case .bike: 1
        case .walk: 2
        }
    }
}

extension RoadNetwork {
    /// Reads a network file.
    ///
    /// - Parameter url: A file made by `bridgecast roads import`; Seattle's is `models/roads/seattle.roads`.
    /// - Throws: ``RoadNetworkError``.
    /// - Complexity: Linear in the file, a few milliseconds for a city.
    public init(contentsOf url: URL) throws(RoadNetworkError) {
        self = try RoadFileReader.network(RoadFileBytes(url))
    }

    /// Reads the bytes of a network file.
    ///
    /// - Parameter file: Name for messages.
    /// - Throws: ``RoadNetworkError``.
    public init(_ bytes: Data, file: String = "road network") throws(RoadNetworkError) {
        self = try RoadFileReader.network(RoadFileBytes(bytes, file: file))
    }
}

/// A value that is made when it is first used, once; copies of its owner share it.
final class Lazy<Value: Sendable>: Sendable {
    private enum State {
        case pending(@Sendable () -> Value)
        case made(Value)
    }

    private let state: Mutex<State>

    init(_ value: Value) { state = Mutex(.made(value)) }

    /// The closure, and what it captures, is released once the value is made.
    init(_ make: @escaping @Sendable () -> Value) { state = Mutex(.pending(make)) }

    /// Other callers wait while it is made.
    var value: Value {
        state.withLock { state in
            switch state {
            case .made(let value): return value
            case .pending(let make):
                let value = make()
                state = .made(value)
                return value
            }
        }
    }
}

/// Why a road network's file was refused.
public enum RoadNetworkError: Failure, Equatable {
    /// It cannot be read.
    case unreadable(file: String, reason: String, isMissing: Bool)
    /// Not a network file at all.
    case format(file: String, problem: String)
    /// Of another version of the format.
    case version(file: String, found: Int, known: Int)
    /// Its length or its digest is not as stated.
    case damaged(file: String, problem: String)
    /// An invalid value: the section, the index in it, and what is wrong.
    case content(file: String, section: String, index: Int, problem: String)

    /// Missing, unreadable, or bad data.
    public var kind: FailureKind {
        switch self {
        case .unreadable(_, _, let isMissing): isMissing ? .missing : .io
        case .format, .version, .damaged, .content: .data
        }
    }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .unreadable(let file, let reason, _): "\(file): \(reason)"
        case .format(let file, let problem):
            "\(file): not a road network (\(problem)); make one with 'bridgecast roads import'"
        case .version(let file, let found, let known):
            "\(file): version \(found) of the network format, this program reads \(known); "
                + "import the roads again with 'bridgecast roads import'"
        case .damaged(let file, let problem):
            "\(file): damaged: \(problem); copy or import it again"
        case .content(let file, let section, let index, let problem):
            "\(file): \(section)[\(index)]: \(problem); import the roads again"
        }
    }
}
