// Network files: read as they were written, and mutated ones, which are read or refused; with
// the mutations and what is tried on a network that was read.
import BridgecastCore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastRoadImport
@testable import BridgecastRoads

@Suite struct NetworkReadingTests {
    @Test func allHierarchiesAreReadAsTheyWereWritten() throws {
        let town = try NetworkTrial.town()
        let bytes = try RoadFileWriter.bytes(of: town)
        let read = try withFile(bytes, "town.roads") { try RoadNetwork(contentsOf: $0) }
        for mode in Route.Mode.allCases {
            let (written, found) = (town.hierarchy(mode), read.hierarchy(mode))
            #expect(!written.upward.isEmpty && found.upward == written.upward)
            #expect(found.downward == written.downward && found.gates == written.gates)
            #expect(found.firstUp == written.firstUp && found.firstDown == written.firstDown)
            #expect(found.vertices == written.vertices)
            // Made once, and the same for all copies.
            #expect(read.hierarchy(mode) === found)
        }
        #expect(try RoadFileWriter.bytes(of: read) == bytes)
    }

    @Test func `a file truncated anywhere is refused`() throws {
        let bytes = Array(try RoadFileWriter.bytes(of: try NetworkTrial.town()))
        let lengths = [0, 1, 55, 56, 57, 200, bytes.count / 2, bytes.count - 1]
        for length in lengths {
            #expect(throws: RoadNetworkError.self, "\(length) bytes") {
                try withFile(bytes.prefix(length), "cut.roads") { try RoadNetwork(contentsOf: $0) }
            }
            // With a length that says so, too.
            let mended = NetworkMutants.mended(Array(bytes.prefix(length)))
            #expect(throws: RoadNetworkError.self, "\(length) bytes, mended") {
                try RoadNetwork(Data(mended))
            }
        }
    }

    /// Whatever else such a byte makes impossible: the digest shows it.
    @Test func `a changed byte anywhere is reported as damage`() throws {
        let bytes = Array(try RoadFileWriter.bytes(of: try NetworkTrial.town()))
        for place in stride(from: 56, to: bytes.count, by: 97) {
            var changed = bytes
            changed[place] ^= 0x80
            #expect { try RoadNetwork(Data(changed)) } throws: { error in
                guard case .damaged(_, let problem)? = error as? RoadNetworkError else {
                    return false
                }
                return problem == "its digest is not that of its bytes"
            }
        }
    }

    @Test func theDigestOfAFileIsThatOfAllItsBytes() throws {
        let bytes = try RoadFileWriter.bytes(of: try NetworkTrial.town())
        let found = try withFile(bytes, "town.roads") { try RoadFileBytes.digest(of: $0) }
        #expect(found.count == bytes.count && found.sha256 == SHA256.hash(bytes))
    }

    @Test func `other than regular files are refused`() throws {
        for path in ["/", "/dev/null", "/nowhere/at/all.roads"] {
            #expect { try RoadNetwork(contentsOf: URL(fileURLWithPath: path)) } throws: { error in
                guard case .unreadable? = error as? RoadNetworkError else { return false }
                return true
            }
        }
    }
}

@Suite struct NetworkFileFuzzTests {
    @Test func anyNetworkFileIsReadOrRefused() async throws {
        let mutants = NetworkMutants(
            original: Array(try RoadFileWriter.bytes(of: try NetworkTrial.town())))
        let fuzz = FuzzRun(usually: 10_000)
        let trials = await fuzz.results { cases, seed in
            var random = SeededGenerator(seed: seed)
            var trial = NetworkTrial()
            for _ in 0..<cases {
                let pair = (
                    Int.random(in: 0..<100, using: &random), Int.random(in: 0..<100, using: &random)
                )
                trial.take(mutants.mutant(&random), pair)
            }
            return trial
        }
        let (refused, read) = (trials.map(\.refused).reduce(0, +), trials.map(\.read).reduce(0, +))
        #expect(trials.flatMap(\.wrong).isEmpty)
        #expect(refused + read == fuzz.cases)
        // Both happen, and ways are found on what was read.
        #expect(refused > fuzz.cases / 4 && read > fuzz.cases / 10)
        #expect(trials.map(\.ways).reduce(0, +) > read)
        if !fuzz.isUsual {
            print(
                "\(fuzz.cases) network files from seed \(fuzz.seed): \(read) read, \(refused) refused"
            )
        }
    }

    @Test func `the shipped file is read`() throws {
        let bytes = Array(try RoadFileWriter.bytes(of: try NetworkTrial.town()))
        #expect(NetworkMutants.mended(bytes) == bytes)
        var trial = NetworkTrial()
        trial.take(bytes, (0, 9))
        #expect(trial.read == 1 && trial.ways >= 3 && trial.wrong.isEmpty)
    }

    @Test func `reluctance and outer places are kept`() throws {
        let town = try NetworkTrial.town()
        let bytes = Array(try RoadFileWriter.bytes(of: town))
        let read = try RoadNetwork(Data(bytes))
        #expect(read.reluctance == Reluctance.seattle && read.reluctance != .none)
        #expect(read.outerPlaces.contains { $0.name == "Eastside" })
        #expect { try read.anchor("eastside", for: .car) } throws: { error in
            guard case .outOfArea("Eastside", let metres)? = error as? PlaceError else {
                return false
            }
            return (10_000...15_000).contains(metres)
        }
        let hostile = try saying("\"enteringSeconds\":-3", for: "\"enteringSeconds\":30", in: bytes)
        #expect(throws: RoadNetworkError.self) { try RoadNetwork(hostile) }
    }

    /// A file with a right digest whose text says something else, as long, where it said `words` last.
    private func saying(_ other: String, for words: String, in bytes: [UInt8]) throws -> Data {
        let mutants = NetworkMutants(original: bytes)
        let about = try #require(mutants.section(RoadFileFormat.Section.about.rawValue))
        let text = String(decoding: bytes[about], as: UTF8.self)
        let place = try #require(text.range(of: words, options: .backwards))
        let changed = text.replacingCharacters(in: place, with: other)
        var result = bytes
        result.replaceSubrange(about, with: Array(changed.utf8))
        return Data(NetworkMutants.mended(result))
    }

    /// Edges would take less than nothing.
    @Test func aReluctanceThatDoesNotFitTheEdgesIsRefused() throws {
        let town = try NetworkTrial.town()
        func read(_ reluctance: Reluctance) throws -> RoadNetwork {
            try RoadNetwork(
                try RoadFileWriter.bytes(
                    of: RoadNetwork(
                        name: "", attribution: "", source: "", places: [],
                        crossings: town.crossings, map: town.map, paces: town.paces,
                        reluctance: reluctance,
                        hierarchies: Route.Mode.allCases.map(town.hierarchy))))
        }
        #expect(try read(town.reluctance).reluctance == town.reluctance)
        var absurd = town.reluctance
        absurd.localShare = 9.3
        #expect(throws: RoadNetworkError.self) { try read(absurd) }
    }

    @Test func `files of version 1 are read and those of a later version are not`() throws {
        var bytes = Array(try RoadFileWriter.bytes(of: try NetworkTrial.town()))
        for (version, isRead) in [(1, true), (2, true), (3, true), (4, false), (0, false)] {
            bytes[8] = UInt8(version)
            #expect(((try? RoadNetwork(Data(bytes))) != nil) == isRead, "version \(version)")
        }
    }

    /// What streets were like before there was room for bikes on them: the words are left out of a newer file.
    @Test func `without bike values all arterials are alike`() throws {
        var words = RoadFileAbout.Reluctance.words(of: Reluctance.seattle)
        #expect(try RoadFileAbout.Reluctance(words: words).value == Reluctance.seattle)
        for key in ["Greenway", "Track", "Lane", "Sharrow", "Busy"] {
            words["bike\(key)Share"] = nil
        }
        let bike = try RoadFileAbout.Reluctance(words: words).value.bike
        #expect(bike.local == 0.15 && bike.greenway == 0.15)
        #expect([bike.track, bike.lane, bike.sharrows, bike.busy] == [0.35, 0.35, 0.35, 0.35])
    }

    @Test func `an unknown room for bikes is refused`() throws {
        let town = try NetworkTrial.town()
        let bytes = Array(try RoadFileWriter.bytes(of: town))
        let mutants = NetworkMutants(original: bytes)
        let arcs = try #require(mutants.section(RoadFileFormat.Section.arcs.rawValue))
        for (value, isRead) in [(UInt8(0), true), (5, false), (255, false)] {
            var hostile = bytes
            hostile[arcs.lowerBound + 39] = value
            let read = try? RoadNetwork(Data(NetworkMutants.mended(hostile)))
            #expect((read != nil) == isRead, "\(value)")
        }
    }

    @Test func aPlaceOffTheEarthIsRefused() throws {
        let town = try NetworkTrial.town()
        let bytes = Array(try RoadFileWriter.bytes(of: town))
        let hostile = try saying("\"latitude\":97", for: "\"latitude\":47", in: bytes)
        #expect(throws: RoadNetworkError.self) { try RoadNetwork(hostile) }
    }

    @Test func `an incomplete bike reluctance is refused`() throws {
        let bytes = Array(try RoadFileWriter.bytes(of: try NetworkTrial.town()))
        let hostile = try saying("\"bikeBusyShort\"", for: "\"bikeBusyShare\"", in: bytes)
        #expect(throws: RoadNetworkError.self) { try RoadNetwork(hostile) }
        #expect(throws: Never.self) { try RoadNetwork(Data(bytes)) }
    }

    /// Edges of no time that each replace the one before twice: 2^100 pieces of road.
    @Test func `edges that double at every level are refused`() throws {
        let town = try NetworkTrial.town()
        let car = town.hierarchy(.car)
        let none = HierarchyEdge(
            weights: SIMD8(), other: 1, first: HierarchyEdge.single, second: HierarchyEdge.noArc)
        func network(levels: Int) throws -> RoadNetwork {
            var upward = [none]
            for level in 1..<levels {
                upward.append(
                    HierarchyEdge(
                        weights: SIMD8(), other: UInt32(level + 1), first: UInt32(level - 1),
                        second: UInt32(level - 1)))
            }
            let first = (0...UInt32(levels)).map { $0 } + [UInt32(levels)]
            let chain = RoadHierarchy(
                mode: .car, firstOfCore: UInt32(levels),
                vertices: car.vertices.map { _ in RoadHierarchy.noVertex }, gates: [],
                firstUp: first, upward: upward, firstDown: first.map { _ in 0 }, downward: [])
            let all = [chain, town.hierarchy(.bike), town.hierarchy(.walk)]
            let network = RoadNetwork(
                name: "", attribution: "", source: "", places: [], crossings: town.crossings,
                map: town.map, paces: town.paces, hierarchies: all)
            return try RoadNetwork(try RoadFileWriter.bytes(of: network))
        }
        #expect(try network(levels: 10).hierarchy(.car).upward.count == 10)
        #expect(throws: RoadNetworkError.self) { try network(levels: 100) }
    }
}

extension RoadFileAbout.Reluctance {
    fileprivate static func words(of value: Reluctance) -> [String: Double] {
        let shares = value.bike
        return [
            "localShare": value.localShare, "enteringSeconds": value.enteringSeconds,
            "bikeLocalShare": shares.local, "bikeArterialShare": shares.arterial,
            "bikeGreenwayShare": shares.greenway, "bikeTrackShare": shares.track,
            "bikeLaneShare": shares.lane, "bikeSharrowShare": shares.sharrows,
            "bikeBusyShare": shares.busy,
        ]
    }

    fileprivate init(words: [String: Double]) throws {
        self = try JSONDecoder().decode(Self.self, from: try JSONEncoder().encode(words))
    }
}

/// Makes mutants of a network file.
struct NetworkMutants {
    let original: [UInt8]

    /// Numbers that readers stumble over.
    private static let numbers: [UInt32] = [
        0, 1, 2, 255, 256, 65_535, 65_536, 1 << 31, (1 << 31) - 1, .max, .max - 1, 0x7fc0_0000,
        0x7f80_0000, 0xff80_0000, 0x3f80_0000,
    ]

    private var sectionCount: Int { Int(word(12, of: original)) }

    /// A mutant with one to three changes.
    func mutant(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<max(1, Int.random(in: -2...3, using: &random)) {
            change(&bytes, &random)
        }
        return Self.mended(bytes)
    }

    /// The bytes with length and digest made right.
    static func mended(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        guard bytes.count >= RoadFileFormat.headerBytes else { return bytes }
        for place in 0..<8 {
            bytes[16 + place] = UInt8(truncatingIfNeeded: bytes.count >> (8 * place))
        }
        var digest = SHA256()
        digest.update(Array(bytes[RoadFileFormat.headerBytes...]).span)
        bytes.replaceSubrange(24..<56, with: digest.finish())
        return bytes
    }

    /// Where a section is.
    func section(_ number: UInt32) -> Range<Int>? {
        for place in 0..<sectionCount where word(entry(place), of: original) == number {
            return range(place)
        }
        return nil
    }

    private func entry(_ place: Int) -> Int {
        RoadFileFormat.headerBytes + place * RoadFileFormat.entryBytes
    }

    private func range(_ place: Int) -> Range<Int> {
        let start = Int(word(entry(place) + 8, of: original))
        let size =
            Int(word(entry(place) + 16, of: original)) * Int(word(entry(place) + 4, of: original))
        return start..<start + size
    }

    private func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0..<sectionCount, using: &random)
        let range = range(place).clamped(to: 0..<bytes.count)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
            // The table itself.
            let field = entry(place) + one(of: [0, 4, 8, 16], &random)
            let known = word(field, of: bytes)
            let next = [
                known &+ 1, known &- 1, known / 2, one(of: Self.numbers, &random),
            ]
            put(one(of: next, &random), field, &bytes)
        case 1: bytes.removeLast(Int.random(in: 0...min(200, bytes.count), using: &random))
        case 2 where range.count >= 4:
            let at = Int.random(in: range, using: &random)
            bytes[at] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 3 where range.count >= 4:
            bytes[Int.random(in: range, using: &random)] = .random(in: 0...255, using: &random)
        case 4..<8 where range.count >= 8:
            // Bytes from elsewhere in the section.
            let words = range.count / 4
            let from = range.lowerBound + 4 * Int.random(in: 0..<words, using: &random)
            let to = range.lowerBound + 4 * Int.random(in: 0..<words, using: &random)
            put(word(from, of: bytes), to, &bytes)
        case 8..<14 where range.count >= 4:
            let at = range.lowerBound + 4 * Int.random(in: 0..<range.count / 4, using: &random)
            let small = UInt32.random(in: 0..<200, using: &random)
            put(
                Bool.random(using: &random) ? small : word(at, of: bytes) &+ small &- 100, at,
                &bytes)
        default:
            guard range.count >= 4 else { return }
            let at = range.lowerBound + 4 * Int.random(in: 0..<range.count / 4, using: &random)
            put(one(of: Self.numbers, &random), at, &bytes)
        }
    }

    private func word(_ at: Int, of bytes: [UInt8]) -> UInt32 {
        guard at + 4 <= bytes.count else { return 0 }
        return (0..<4).reduce(0) { $0 | UInt32(bytes[at + $1]) << UInt32(8 * $1) }
    }

    private func put(_ value: UInt32, _ at: Int, _ bytes: inout [UInt8]) {
        guard at + 4 <= bytes.count else { return }
        for place in 0..<4 { bytes[at + place] = UInt8(truncatingIfNeeded: value >> (8 * place)) }
    }

    /// One of some numbers, of which there is at least one.
    private func one<Number>(
        of numbers: [Number], _ random: inout SeededGenerator
    ) -> Number {
        numbers[Int.random(in: 0..<numbers.count, using: &random)]
    }
}

/// What became of the mutants of a network file.
struct NetworkTrial: Sendable {
    var refused = 0
    var read = 0
    var ways = 0
    /// What no refusal and no way may be.
    var wrong: [String] = []

    /// Fremont with its drawbridge, a ramp on each side, and a street on each shore.
    static func town() throws -> RoadNetwork {
        let bridge = BridgeCatalogue[.fremont]
        var town = StreetTown(middle: bridge.point)
        for (name, north) in [
            ("s", -400.0), ("sr", -100), ("sl", -40), ("nl", 40), ("nr", 100), ("n", 400),
        ] {
            town.node(name, 2, north)
        }
        for (name, east, north) in [
            ("sw", -200.0, -400.0), ("se", 200, -400), ("nw", -200, 400), ("ne", 200, 400),
        ] { town.node(name, east, north) }
        town.way("s sw se s", ["name": "South Street"])
        town.way("n nw ne n", ["name": "North Street"])
        town.way("s sr", ["name": "4th Avenue North"])
        town.way("sr sl", ["name": "4th Avenue North", "bridge": "yes"])
        town.way(
            "sl nl", ["name": "Fremont Avenue North", "bridge": "yes", "bridge:movable": "bascule"])
        town.way("nl nr", ["name": "Fremont Avenue North", "bridge": "yes"])
        town.way("nr n", ["name": "Fremont Avenue North"])
        let made = try town.imported(
            withoutBridges: false,
            additions: try RoadAdditions(
                json: Array(
                    """
                    {"lines":[],"places":[{"name":"Southside","kind":"neighbourhood","at":[\(bridge.point.latitude - 0.0036),\(bridge.point.longitude)]},
                     {"name":"Eastside","kind":"neighbourhood","at":[47.615,-122.199]}]}
                    """.utf8), file: "places"))
        var hierarchies: [RoadHierarchy] = []
        for mode in Route.Mode.allCases {
            hierarchies.append(
                try RoadPreparation.hierarchy(
                    mode, of: made.map, turns: made.turnLinks, paces: made.paces,
                    reluctance: made.reluctance))
        }
        return RoadNetwork(
            name: "Fremont", attribution: made.attribution, source: made.source,
            places: made.places, outerPlaces: made.outerPlaces, crossings: made.crossings,
            map: made.map, paces: made.paces, reluctance: made.reluctance,
            hierarchies: hierarchies)
    }

    /// Reads the bytes; searches routes on the network, and reports them.
    mutating func take(_ bytes: [UInt8], _ pair: (Int, Int)) {
        let network: RoadNetwork
        do throws(RoadNetworkError) {
            network = try RoadNetwork(Data(bytes), file: "mutant")
        } catch {
            refused += 1
            if !error.description.contains("mutant") { wrong.append("\(error)") }
            return
        }
        read += 1
        for mode in Route.Mode.allCases { travel(network, mode, pair) }
        _ = network.completions(of: "s", limit: 5)
        _ = network.completions(of: "4th & s", limit: 5)
        _ = try? network.anchor("4th Ave N & South St", for: .walk)
        for place in network.places { _ = try? network.anchor(place, for: .car) }
    }

    private mutating func travel(_ network: RoadNetwork, _ mode: Route.Mode, _ pair: (Int, Int)) {
        let nodes = network.map.nodes
        guard !nodes.isEmpty,
            let origin = try? network.anchor(nodes[pair.0 % nodes.count].geoPoint, for: mode),
            let end = try? network.anchor(nodes[pair.1 % nodes.count].geoPoint, for: mode)
        else { return }
        let leaving = Timestamp(secondsSinceEpoch: 1_771_640_000)
        let paths = network.paths(
            from: origin, to: end, mode: mode, leaving: leaving
        ) { $0.minutes * 1.25 + 6 }
        let search = AlternativeSearch(network, mode, from: origin, to: end, leaving: leaving)
        var others: [Path] = []
        for path in paths.prefix(2) {
            let found = search.alternatives(to: path)
            if found.contains(where: { $0.crossings != path.crossings }) {
                wrong.append("crossings")
            }
            others += found
        }
        for path in paths + others {
            ways += 1
            let route = PlannedRoute(path, on: network, from: "a", to: "b", mode: mode).route
            let minutes = path.minutes
            if !(minutes >= 0 && minutes.isFinite && route.meanTravelMinutes >= 0) {
                wrong.append("\(minutes) minutes")
            }
            if path.directions(on: network).count > path.pieces.count + 1 { wrong.append("steps") }
            _ = RoadPolyline.encode(path.line(on: network))
            _ = path.geoJSON(on: network)
        }
    }
}
