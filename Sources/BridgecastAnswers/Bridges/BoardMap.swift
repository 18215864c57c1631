// The board as GeoJSON (RFC 7946): a point for each bridge, for maps that ask for it.
private import BridgecastCore

/// A board for maps.
package struct BoardMap: Sendable, JSONAnswer {
    private let board: BoardDocument

    /// The map of a board.
    package init(_ board: BoardDocument) { self.board = board }

    /// Writes it as a FeatureCollection; what every answer begins with stands in it as further members.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("type", "FeatureCollection")
            board.writeHead(into: &json)
            json.list("features", board.bridges) { json, bridge in
                json.object { json in
                    json.field("type", "Feature")
                    json.field("id", bridge.facts.id.rawValue)
                    json.object("geometry") { json in
                        json.field("type", "Point")
                        json.list(
                            "coordinates", [bridge.facts.longitude, bridge.facts.latitude],
                            decimals: 6)
                    }
                    json.field("properties", bridge)
                }
            }
        }
    }
}
