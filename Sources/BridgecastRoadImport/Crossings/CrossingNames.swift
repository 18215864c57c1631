// What people call the fixed crossings of water; used by CrossingFinder.
internal import BridgecastCore

/// Names of crossings that never open.
enum CrossingNames {
    /// Names of the map, and what the city says.
    private static let spoken = [
        "George Washington Memorial Bridge": "Aurora Bridge",
        "Ship Canal Bridge": "I-5 Ship Canal Bridge",
        "Evergreen Point Floating Bridge": "SR 520 floating bridge",
        "Governor Albert D. Rosellini Bridge—Evergreen Point": "SR 520 floating bridge",
        "Lacey V. Murrow Memorial Bridge": "I-90 floating bridge",
        "Homer M. Hadley Memorial Bridge": "I-90 floating bridge",
        "West Seattle Bridge": "West Seattle Bridge",
    ]

    /// A crossing's name by its way's tags; the water's name tells where an ordinary street crosses.
    static func name(_ tags: WayTags, over water: CentreLine) -> String {
        if tags.ref == "I 5 Express" { return "I-5 express lanes" }
        for name in [tags.bridgeName, tags.name] {
            guard let name, !name.isEmpty else { continue }
            if let spoken = spoken[name] { return spoken }
        }
        if let name = tags.bridgeName, !name.isEmpty { return LocalNames.shortened(name) }
        let road = tags.name.map(LocalNames.shortened) ?? LocalNames.spoken(ref: tags.ref ?? "")
        if road.hasSuffix("Bridge") || road.hasSuffix("Viaduct") { return road }
        return "\(road.isEmpty ? "ramp" : road) across \(water.name)"
    }
}
