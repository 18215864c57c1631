// A road network's JSON as it is written; RoadNetworkBuilder checks it.

/// The file as it is written.
struct RoadNetworkFile: Decodable {
    struct Class: Decodable {
        let kmh: Double?
        let modes: [String]
        let weekday: [Double]?
        let weekend: [Double]?
        /// Where bikes are pushed.
        let walked: Bool?
    }

    struct Road: Decodable {
        let name: String
        let `class`: String
        let nodes: [String]
        /// How much longer it is than its straight pieces.
        let detour: Double?
        let oneWay: Bool?
        /// Name of a crossing that never opens.
        let crossing: String?
        /// Name of a drawbridge.
        let bridge: String?
    }

    struct Place: Decodable {
        let name: String
        let node: String
        let aliases: [String]?
    }

    let name: String
    let classes: [String: Class]
    let nodes: [String: [Double]]
    let roads: [Road]
    let places: [Place]
}
