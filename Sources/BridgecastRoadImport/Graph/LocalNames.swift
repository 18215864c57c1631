// Names of roads as people in Seattle say and sign them: '15th Ave NW', 'I-5', 'SR 520'.
internal import BridgecastRoads

/// Shortens the long names of OpenStreetMap, and numbers the names of a map.
struct LocalNames {
    /// By index; name 0 is empty.
    private(set) var all = [""]
    private var numbers = ["": 0]
    private var known: [String: String] = [:]

    private static let directions = [
        "North": "N", "South": "S", "East": "E", "West": "W", "Northeast": "NE",
        "Northwest": "NW", "Southeast": "SE", "Southwest": "SW",
    ]
    private static let kinds = [
        "Avenue": "Ave", "Street": "St", "Boulevard": "Blvd", "Drive": "Dr", "Road": "Rd",
        "Place": "Pl", "Court": "Ct", "Lane": "Ln", "Parkway": "Pkwy", "Terrace": "Ter",
        "Circle": "Cir", "Highway": "Hwy", "Square": "Sq", "Extension": "Ext",
    ]

    mutating func number(_ name: String) -> Int {
        if let number = numbers[name] { return number }
        all.append(name)
        numbers[name] = all.count - 1
        return all.count - 1
    }

    mutating func number(_ tags: WayTags, _ profile: RoadProfile) -> Int {
        number(name(tags, profile))
    }

    private mutating func name(_ tags: WayTags, _ profile: RoadProfile) -> String {
        let ref = tags.ref.map(Self.spoken(ref:)) ?? ""
        // A freeway is known by its number, also on a bridge with a name. SR 99 is a street along most of its length.
        if profile.roadClass == .motorway, !profile.isLink, !ref.isEmpty, ref != "SR 99" {
            return ref
        }
        if let name = tags.name, !name.isEmpty { return short(name) }
        guard profile.isLink else { return ref }
        return short(
            tags.destination?.split(separator: ";").prefix(2).joined(separator: " / ") ?? "")
    }

    /// 'I-5' for 'I 5', 'SR 520' for 'WA 520'; of several the first.
    static func spoken(ref: String) -> String {
        let first = ref.split(separator: ";").first.map(String.init) ?? ""
        // As people say it.
        if first.hasPrefix("I "), first.hasSuffix(" Express") {
            return "I-" + first.dropFirst(2).dropLast(8) + " express lanes"
        }
        if first.hasPrefix("I ") { return "I-" + first.dropFirst(2) }
        if first.hasPrefix("WA ") { return "SR " + first.dropFirst(3) }
        return first
    }

    mutating func short(_ name: String) -> String {
        if let short = known[name] { return short }
        let short = Self.shortened(name)
        known[name] = short
        return short
    }

    static func shortened(_ name: String) -> String {
        let plain = name.hasPrefix("State Route ") ? "SR " + name.dropFirst(12) : name
        var words = plain.split(separator: " ").map(String.init)
        guard words.count > 1 else { return plain }
        // 'West Seattle Bridge' and 'North Street' are names, 'West Marginal Way' is a direction and a name.
        if words.count > 2, words[1] != "Seattle", let direction = directions[words[0]] {
            words[0] = direction
        }
        var last = words.count - 1
        if words.count > 2, let direction = directions[words[last]] {
            words[last] = direction
            last -= 1
        }
        if last > 0, let kind = kinds[words[last]] {
            words[last] = kind
            if kind == "Ext", let before = kinds[words[last - 1]] { words[last - 1] = before }
        }
        for index in words.indices where words[index] == "Junior" { words[index] = "Jr" }
        // '1st Avenue South Bridge': a bridge named after its street.
        if words.count == 4, words[3] == "Bridge", let kind = kinds[words[1]],
            directions[words[2]] != nil
        {
            words[1] = kind
        }
        return words.joined(separator: " ")
    }
}
