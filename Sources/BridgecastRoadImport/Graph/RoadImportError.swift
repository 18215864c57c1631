// Why no road network can be made of an extract.
public import BridgecastCore

/// Why an import gives no network; each says where and what to do.
public enum RoadImportError: Failure, Equatable {
    /// Nothing to drive on; what was left out, and of which ways.
    case noRoad(file: String, leftOut: [String] = [])
    /// A road crosses water without a bridge.
    case bridgeless(way: Int64, name: String, water: String)
    /// No drawbridge lies where the extract is.
    case elsewhere(file: String)
    /// A drawbridge lies in the extract's box, and no road crosses there.
    case drawbridgeMissing(file: String, bridge: BridgeIndex, point: GeoPoint)
    /// A drawbridge has a road in one direction only.
    case oneWayDrawbridge(bridge: BridgeIndex, ways: [Int64])
    /// More crossings than arcs can number.
    case tooManyCrossings(Int)
    /// One gets from one end of a crossing to its other end without it or another crossing.
    case leak(crossing: String, way: Int64)
    /// Ways of more than 109 minutes of free travel.
    case tooFar
    /// The additions' file.
    case additions(file: String, problem: DocumentProblem)

    /// Whose matter it is.
    public var kind: FailureKind { .data }

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .noRoad(let file, let leftOut):
            "\(file): no road a car may use"
                + (leftOut.isEmpty ? "" : " (left out: \(leftOut.joined(separator: "; ")))")
                + "; take an extract with ways of highway=residential and the like, and their nodes"
        case .bridgeless(let way, let name, let water):
            "way \(way) (\(name.isEmpty ? "no name" : name)) crosses \(water) and has neither bridge nor tunnel; "
                + "correct it in the extract"
        case .elsewhere(let file):
            "\(file): none of Seattle's drawbridges lies in it; "
                + "take an extract of Seattle, or import without bridges"
        case .drawbridgeMissing(let file, let bridge, let point):
            "\(file): no road over \(BridgeCatalogue[bridge].spokenName) near "
                + "\(Self.degrees(point.latitude)),\(Self.degrees(point.longitude)); take an extract with its bridge ways, "
                + "or import without bridges"
        case .oneWayDrawbridge(let bridge, let ways):
            "\(BridgeCatalogue[bridge].spokenName) can be crossed in one direction only (ways "
                + "\(ways.map(String.init).joined(separator: ", "))); take an extract with all its ways"
        case .tooManyCrossings(let count):
            "\(count) crossings of water, at most 254 fit; take a smaller extract"
        case .leak(let crossing, let way):
            "way \(way): one gets to the other side of \(crossing) without crossing a bridge; "
                + "a road nearby crosses water unseen"
        case .tooFar:
            "some ways take more than 109 minutes without anybody else about; take a smaller extract"
        case .additions(let file, let problem): "\(file): \(problem)"
        }
    }

    /// To about a metre.
    private static func degrees(_ value: Double) -> String {
        "\((value * 100_000).rounded() / 100_000)"
    }
}
