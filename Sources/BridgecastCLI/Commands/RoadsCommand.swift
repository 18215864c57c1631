// `bridgecast roads`: what a road network has and where its places are. The import is in BridgecastServerCLI.
package import ArgumentParser
import BridgecastCore
import BridgecastRoads
internal import BridgecastSupport
import Foundation

/// `bridgecast roads`.
package struct RoadsCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "roads",
        abstract: "Makes road networks from OpenStreetMap extracts, and looks into them.",
        subcommands: [RoadsImportStart.self, RoadsInfo.self, RoadsFind.self])

    /// Help of `roads import`, for both programs.
    package static let importConfiguration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a road network from an OpenStreetMap extract.",
        discussion: """
            The extract is Overpass JSON or OpenStreetMap PBF, plain or compressed with gzip; the format is recognised by \
            the content. Roads, crossings of water, turns and times are taken from it, prepared for \
            searching and written to one file, which predict and depart take with --network.
            """)

    package init() {}
}

/// Starts `roads import` of the other program: this one cannot read extracts.
struct RoadsImportStart: AsyncParsableCommand {
    static let configuration = RoadsCommand.importConfiguration
    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

    func run() async throws {
        try await reportingFailures { try ServerProgram.start(["roads", "import"] + arguments) }
    }
}

// MARK: - Info

/// `bridgecast roads info`.
struct RoadsInfo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Shows what a road network has: roads, crossings of water, places, its source.")

    @Argument(help: "The network. Default: Seattle's, which is shipped.")
    var file: String?

    @Option(name: .long, help: "Output: text or json.")
    var format = RoadsFormat.text

    func run() async throws {
        try await reportingFailures {
            let url = try file.map { URL(fileURLWithPath: $0) } ?? ShippedFiles.roadsFile()
            let facts = RoadsFacts(
                try RoadNetwork(contentsOf: url), path: file ?? url.path,
                digest: try RoadFileBytes.digest(of: url))
            switch format {
            case .text: try Console.print(facts.text)
            case .json: try Console.print(try json(facts))
            }
        }
    }
}

// MARK: - Find

/// `bridgecast roads find`.
struct RoadsFind: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Finds places and street corners by the beginning of their names.")

    @Argument(help: "An origin or destination as for --from, or the beginning of it.")
    var text: String

    @Option(name: .long, help: "The network. Default: Seattle's, which is shipped.")
    var network: String?

    @Option(name: .long, help: "How you travel: selects the roads that places are connected to.")
    var mode = Route.Mode.car

    @Option(name: .long, help: "Maximum number shown, 1 to 1000.")
    var limit = 10

    @Option(name: .long, help: "Output: text or json.")
    var format = RoadsFormat.text

    func validate() throws {
        guard (1...1_000).contains(limit) else {
            throw ValidationError("--limit must be 1 to 1000")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let url = try network.map { URL(fileURLWithPath: $0) } ?? ShippedFiles.roadsFile()
            let roads = try RoadNetwork(contentsOf: url)
            let findings = try SavedPlaces.find(text) { (text) throws(PlaceError) in
                try RoadsFindings(text, mode: mode, limit: limit, on: roads)
            }
            switch format {
            case .text: try Console.print(findings.message)
            case .json: try Console.print(try json(findings))
            }
        }
    }
}

/// `--format` of `roads` and its commands.
package enum RoadsFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

// MARK: - Text and documents

/// Text about roads.
enum RoadsText {
    /// The source of the roads; shown with all routes on them.
    static func attribution(_ text: String) -> String {
        "Roads: \(printable(text, maxLength: 200))"
    }

    /// The roads of a path in order, each with its length, and its minutes from one on.
    static func directions(_ path: Path, on network: RoadNetwork) -> String {
        path.directions(on: network).filter { $0.manoeuvre != .arrive }.map { step in
            let minutes = step.minutes < 1 ? "" : " (\(fixed(step.minutes, 0)) min)"
            return "\(printable(step.name, maxLength: 100)) \(distance(step.metres))\(minutes)"
        }.joined(separator: ", ")
    }

    /// `60 m`, `1.2 km`.
    static func distance(_ metres: Double) -> String {
        metres < 95
            ? "\(fixed((metres / 10).rounded() * 10, 0)) m" : "\(fixed(metres / 1000, 1)) km"
    }
}

/// The JSON of `roads info`.
struct RoadsFacts: Encodable {
    struct Roads: Encodable {
        let name: String
        let pieces: Int
        /// Both directions of a road count once.
        let kilometres: Double
    }

    struct Water: Encodable {
        let name: String
        let isDrawbridge: Bool
        /// The city's number of a drawbridge.
        let bridgeID: BridgeID?
        let latitude, longitude: Double
    }

    struct File: Encodable {
        let path: String
        let bytes: Int
        let sha256: String
    }

    let file: File
    let name, source, attribution: String
    let junctions, pieces, names: Int
    let kilometres: Double
    let classes: [Roads]
    /// Directed pieces of road by the mode they are open to.
    let openTo: [String: Int]
    let crossings: [Water]
    let places: [String: Int]

    init(_ network: RoadNetwork, path: String, digest: (count: Int, sha256: [UInt8])) {
        file = File(path: path, bytes: digest.count, sha256: hexadecimal(digest.sha256))
        name = network.name
        source = network.source
        attribution = network.attribution
        let map = network.map
        junctions = map.nodes.count
        pieces = map.arcs.count
        names = map.names.count - 1
        classes = RoadClass.allCases.compactMap { Self.roads($0, map) }
        kilometres = classes.reduce(0) { $0 + $1.kilometres }
        openTo = [
            Route.Mode.car.rawValue: map.arcs.count { $0.carDeciseconds > 0 },
            Route.Mode.bike.rawValue: map.arcs.count { $0.bikeDeciseconds > 0 },
            Route.Mode.walk.rawValue: map.arcs.count { $0.walkDeciseconds > 0 },
        ]
        crossings = network.crossings.map { crossing in
            Water(
                name: crossing.name, isDrawbridge: crossing.bridge != nil,
                bridgeID: crossing.bridge.map { BridgeCatalogue[$0].id },
                latitude: crossing.point.latitude, longitude: crossing.point.longitude)
        }
        places = network.places.reduce(into: [:]) { $0["\($1.kind)", default: 0] += 1 }
    }

    /// Roads of a class; nil if there are none.
    private static func roads(_ roadClass: RoadClass, _ map: RoadMap) -> Roads? {
        var pieces = 0
        var metres = 0.0
        for (index, arc) in map.arcs.enumerated() where arc.roadClass == roadClass {
            pieces += 1
            // The first of an arc and its twin; without a twin it is the largest number.
            if arc.twin > UInt32(index) { metres += Double(arc.metres) }
        }
        return pieces == 0
            ? nil
            : Roads(
                name: "\(roadClass)", pieces: pieces,
                kilometres: (metres / 100).rounded() / 10)
    }

    /// For people.
    var text: String {
        let kinds = Place.Kind.allCases.compactMap { kind in
            places["\(kind)"].map { "\($0) \(kind)" }
        }
        let modes = Route.Mode.allCases.map { "\($0.rawValue) \(openTo[$0.rawValue] ?? 0)" }
        var roads = TextTable(["class", "km", "pieces"], [.left, .right, .right])
        for kind in classes { roads.add([kind.name, fixed(kind.kilometres, 1), "\(kind.pieces)"]) }
        var water = TextTable(["crossing of water", "", "where"], [.left, .left, .left])
        for crossing in crossings {
            water.add([
                crossing.name, crossing.isDrawbridge ? "drawbridge" : "",
                "\(fixed(crossing.latitude, 5)),\(fixed(crossing.longitude, 5))",
            ])
        }
        return """
            \(name): \(file.path)
            \(file.bytes) bytes, SHA-256 \(file.sha256)
            Made from \(source); \(attribution)
            \(junctions) junctions, \(pieces) directed pieces of road, \(fixed(kilometres, 1)) km of roads, \
            \(names) names
            Open to: \(modes.joined(separator: ", "))
            Places: \(kinds.isEmpty ? "none" : kinds.joined(separator: ", "))

            \(roads.text(indent: "  "))

            \(water.text(indent: "  "))
            """
    }
}

/// The JSON of `roads find`: what a text may mean.
struct RoadsFindings: Encodable {
    /// A place, a corner, or a point of a road.
    struct Found: Encodable {
        let name: String
        /// Nil for the point of a road.
        let kind: String?
        let latitude, longitude: Double
    }

    let text: String
    /// Where a trip would begin or end; nil if the text is not the whole name of one place.
    let place: Found?
    /// Why there is none; for programs, since people see the completions.
    let problem: String?
    /// What was assumed about the text; nil if nothing was.
    let note: String?
    let completions: [Found]
    let attribution: String
    /// Whether the text is a place outside the network; completions never are.
    private var isOutside = false

    private enum CodingKeys: String, CodingKey {
        case text, place, problem, note, completions, attribution
    }

    /// - Throws: ``PlaceError`` if no place matches the text.
    init(
        _ text: String, mode: Route.Mode, limit: Int, on network: RoadNetwork
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
            note = anchor.note
            problem = nil
        } catch {
            guard !completions.isEmpty else { throw error }
            place = nil
            note = nil
            problem = error.description
            if case .outOfArea = error { isOutside = true }
        }
    }

    /// For people.
    var message: String {
        var parts: [String] = []
        if let place {
            parts.append("'\(text)' is \(place.name), on the road at \(Self.point(place))")
        }
        if let note { parts.append(note) }
        if isOutside, let problem { parts.append(problem) }
        if !completions.isEmpty {
            var table = TextTable(["name", "kind", "where"], [.left, .left, .left])
            for found in completions {
                table.add([
                    printable(found.name, maxLength: TextTable.maxNameLength), found.kind ?? "",
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
