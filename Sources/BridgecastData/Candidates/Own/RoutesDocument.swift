// Our own form of candidate routes as it is written; what it means is told by RoutesDocument+Checks. Used by
// RoutesFile, CandidateDocument and OwnRoutesReader.

/// A document of routes.
struct RoutesDocument: OwnObject {
    /// For people; anything may stand there.
    @Lenient var about: String?
    let routes: [Strict<Entry>]

    enum CodingKeys: CodingKey, CaseIterable { case about, routes }

    /// A route.
    struct Entry: OwnObject {
        let id: String
        let name: String
        let origin: String
        let destination: String
        let mode: String?
        let steps: [Strict<Step>]

        enum CodingKeys: CodingKey, CaseIterable { case id, name, origin, destination, mode, steps }
    }

    /// A stretch of road or a bridge.
    struct Step: OwnObject {
        let minutes: Double?
        let spread: Double?
        let to: String?
        let bridge: String?

        enum CodingKeys: CodingKey, CaseIterable { case minutes, spread, to, bridge }
    }
}
