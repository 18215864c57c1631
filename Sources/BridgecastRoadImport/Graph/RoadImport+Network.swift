// The last step of an import: roads prepared for searching, every mode as a task of its own.
internal import BridgecastCore
public import BridgecastRoads

extension RoadImport {
    /// The network, prepared for searching by every mode; some seconds for a city.
    ///
    /// - Throws: ``RoadImportError/tooFar``.
    public func network() async throws -> RoadNetwork {
        let hierarchies = try await withThrowingTaskGroup(
            of: (Int, RoadHierarchy).self, returning: [RoadHierarchy].self
        ) { group in
            for (number, mode) in Route.Mode.allCases.enumerated() {
                group.addTask {
                    (
                        number,
                        try RoadPreparation.hierarchy(
                            mode, of: map, turns: turnLinks, paces: paces,
                            reluctance: reluctance)
                    )
                }
            }
            var made: [(Int, RoadHierarchy)] = []
            for try await hierarchy in group { made.append(hierarchy) }
            return made.sorted { $0.0 < $1.0 }.map(\.1)
        }
        return RoadNetwork(
            name: name, attribution: attribution, source: source, places: places,
            outerPlaces: outerPlaces, crossings: crossings, map: map, paces: paces,
            reluctance: reluctance,
            hierarchies: hierarchies)
    }
}
