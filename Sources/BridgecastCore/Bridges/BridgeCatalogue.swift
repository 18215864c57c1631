internal import BridgecastSupport

/// Seattle's seven drawbridges.
public enum BridgeCatalogue {
    /// All bridges: the Ship Canal from the sea inland, then the Duwamish from the sea inland.
    public static let seattle: [Bridge] = [
        Bridge(
            id: BridgeID(2), name: "Ballard", aliases: ["15th ave nw"],
            latitude: 47.65981674194336, longitude: -122.37619018554688,
            waterway: .shipCanal, waterwayMile: 1.1, clearanceFeet: 44, rules: .shipCanal,
            traffic: TrafficCounts(
                vehiclesPerWeekday: 49_500, morningPeakShare: 0.0656, eveningPeakShare: 0.0846,
                busiestEightHourShare: 0.5575, lanesEachWay: 2)),
        Bridge(
            id: BridgeID(3), name: "Fremont", aliases: [],
            latitude: 47.64760208129883, longitude: -122.3497314453125,
            waterway: .shipCanal, waterwayMile: 2.6, clearanceFeet: 30, rules: .shipCanal,
            traffic: TrafficCounts(
                vehiclesPerWeekday: 29_300, morningPeakShare: 0.0670, eveningPeakShare: 0.0990,
                busiestEightHourShare: 0.5924, lanesEachWay: 2)),
        Bridge(
            id: BridgeID(21), name: "University", aliases: ["u district", "eastlake"],
            latitude: 47.652652740478516, longitude: -122.32042694091797,
            waterway: .shipCanal, waterwayMile: 4.3, clearanceFeet: 42.5, rules: .shipCanal,
            traffic: TrafficCounts(
                vehiclesPerWeekday: 25_400, morningPeakShare: 0.0827, eveningPeakShare: 0.1180,
                busiestEightHourShare: 0.6572, lanesEachWay: 2)),
        Bridge(
            id: BridgeID(4), name: "Montlake", aliases: [],
            latitude: 47.64728546142578, longitude: -122.3045883178711,
            waterway: .shipCanal, waterwayMile: 5.2, clearanceFeet: 46, rules: .montlake,
            traffic: TrafficCounts(
                vehiclesPerWeekday: 61_500, morningPeakShare: 0.0636, eveningPeakShare: 0.0774,
                busiestEightHourShare: 0.5477, lanesEachWay: 2)),
        Bridge(
            id: BridgeID(6), name: "Lower Spokane St",
            aliases: ["spokane", "spokane st", "lower spokane", "lower spokane street", "swing"],
            latitude: 47.57137680053711, longitude: -122.35354614257812,
            waterway: .duwamish, waterwayMile: 0.3, clearanceFeet: 55, rules: .unrestricted,
            traffic: TrafficCounts(
                vehiclesPerWeekday: 8_800, morningPeakShare: 0.1108, eveningPeakShare: 0.0921,
                busiestEightHourShare: 0.7085, lanesEachWay: 1)),
        Bridge(
            id: BridgeID(1), name: "1st Ave South",
            aliases: ["1st ave s", "first ave south", "first avenue south", "1st avenue south"],
            latitude: 47.542213439941406, longitude: -122.33446502685547,
            waterway: .duwamish, waterwayMile: 2.5, clearanceFeet: 39, rules: .firstAvenueSouth,
            traffic: TrafficCounts(
                vehiclesPerWeekday: 80_000, morningPeakShare: 0.0733, eveningPeakShare: 0.0826,
                busiestEightHourShare: 0.5610, lanesEachWay: 4)),
        Bridge(
            id: BridgeID(29), name: "South Park", aliases: ["14th ave s", "16th ave s"],
            latitude: 47.52923583984375, longitude: -122.31411743164062,
            waterway: .duwamish, waterwayMile: 3.8, clearanceFeet: 34, rules: .southPark,
            traffic: TrafficCounts(
                vehiclesPerWeekday: 21_400, morningPeakShare: 0.0745, eveningPeakShare: 0.0860,
                busiestEightHourShare: 0.5600, lanesEachWay: 2)),
    ]

    /// The ids in the replies of `GetBridgeData`; University and Lower Spokane St are not among them.
    static let idsWithLiveSensor: Set<BridgeID> = Set([1, 2, 3, 4, 29].map { BridgeID($0) })

    /// How many bridges there are.
    public static let count = seattle.count

    /// The bridge at an index.
    public static subscript(index: BridgeIndex) -> Bridge { seattle[index.rawValue] }

    /// The index of the bridge with an id, or nil if the catalogue has none.
    public static func index(of id: BridgeID) -> BridgeIndex? {
        seattle.firstIndex { $0.id == id }.map(BridgeIndex.init)
    }

    /// The index of the bridge with a name, alias or id number; case, spaces, punctuation and a
    /// trailing "Bridge" do not matter.
    public static func index(named text: String) -> BridgeIndex? {
        indexByName[text] ?? indexByName[folded(text)]
    }

    /// Exact and folded names, aliases and ids.
    private static let indexByName: [String: BridgeIndex] = {
        var result: [String: BridgeIndex] = [:]
        for index in BridgeIndex.all {
            let bridge = Self[index]
            for name in [bridge.name, String(bridge.id.rawValue)] + bridge.aliases {
                result[name] = index
                result[folded(name)] = index
            }
        }
        return result
    }()

    /// Ids and names of all bridges, for messages.
    package static var namesByID: String {
        seattle.map { "\($0.id) \($0.name)" }.joined(separator: ", ")
    }

    /// The bridges of one waterway from the sea inland.
    package static func along(_ waterway: Waterway) -> [BridgeIndex] {
        waterway == .shipCanal ? shipCanal : duwamish
    }

    private static let shipCanal = BridgeIndex.all.filter { Self[$0].waterway == .shipCanal }
    private static let duwamish = BridgeIndex.all.filter { Self[$0].waterway == .duwamish }

    private static func folded(_ text: String) -> String {
        var letters = foldedName(text)
        if letters.hasSuffix("bridge") { letters.removeLast("bridge".count) }
        return letters
    }
}
