// What `roads find` found: the place that a text means, and what it may become.
import BridgecastCore
import BridgecastRoads

/// What a text may mean.
struct RoadsFindings: Encodable {
    /// A place, a corner, or a point of a road.
    struct Found: Encodable {
        let name: String
        /// Nil for the point of a road.
        let kind: String?
        let latitude, longitude: Double
    }

    let text: String
    /// Where a trip would begin or end; nil where the text is not the whole name of one place.
    let place: Found?
    /// Why there is none; for programs, because people see what the text may become.
    let problem: String?
    let completions: [Found]
    let attribution: String
    /// Whether the text is the name of a place outside, which no completion is.
    private var isOutside = false

    private enum CodingKeys: String, CodingKey {
        case text, place, problem, completions, attribution
    }

    /// - Throws: ``PlaceError`` if nothing is called like the text.
    init(
        _ text: String, _ mode: Route.Mode, _ limit: Int, on network: RoadNetwork
    ) throws(PlaceError) {
        self.text = text
        attribution = network.attribution
        completions = network.completions(of: text, limit: limit).map {
            let kind: String
            switch $0.kind {
            case .place(let place): kind = "\(place)"
            case .corner: kind = "corner"
            }
            return Found(
                name: $0.name, kind: kind, latitude: $0.point.latitude,
                longitude: $0.point.longitude)
        }
        do throws(PlaceError) {
            let anchor = try network.anchor(text, for: mode)
            place = Found(
                name: anchor.name, kind: nil, latitude: anchor.point.latitude,
                longitude: anchor.point.longitude)
            problem = nil
        } catch {
            guard !completions.isEmpty else { throw error }
            (place, problem) = (nil, error.description)
            if case .outOfArea = error { isOutside = true }
        }
    }

    /// For people.
    var words: String {
        var parts: [String] = []
        if let place {
            parts.append("'\(text)' is \(place.name), on the road at \(Self.point(place))")
        }
        if isOutside, let problem { parts.append(problem) }
        if !completions.isEmpty {
            var table = TextTable(["name", "kind", "where"], [.left, .left, .left])
            for found in completions {
                table.add([
                    printable(found.name, most: TextTable.longestName), found.kind ?? "",
                    Self.point(found),
                ])
            }
            parts.append(table.text(indent: "  "))
        }
        return parts.map { printableLines($0) }.joined(separator: "\n\n") + "\n\n"
            + RoadsText.attribution(attribution)
    }

    private static func point(_ found: Found) -> String {
        "\(fixed(found.latitude, 6)),\(fixed(found.longitude, 6))"
    }
}
