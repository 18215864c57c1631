// Whatever stands in a network file whose digest is right: it is refused, or it is a network that works.
import BridgecastCore
@testable import BridgecastRoadImport
@testable import BridgecastRoads
import BridgecastTestSupport
import Foundation
import Testing

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

    @Test func theFileItselfIsRead() throws {
        let bytes = Array(try RoadFileWriter.bytes(of: try NetworkTrial.town()))
        #expect(NetworkMutants.mended(bytes) == bytes)
        var trial = NetworkTrial()
        trial.take(bytes, (0, 9))
        #expect(trial.read == 1 && trial.ways >= 3 && trial.wrong.isEmpty)
    }

    @Test func whatPeopleAreReluctantOfAndPlacesOutsideAreKept() throws {
        let town = try NetworkTrial.town()
        let bytes = Array(try RoadFileWriter.bytes(of: town))
        let read = try RoadNetwork(Data(bytes))
        #expect(read.reluctance == UsualReluctance.value && read.reluctance != .none)
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

    @Test func filesOfTheFirstVersionAreReadAndThoseOfALaterOneAreNot() throws {
        var bytes = Array(try RoadFileWriter.bytes(of: try NetworkTrial.town()))
        for (version, isRead) in [(1, true), (2, true), (3, true), (4, false), (0, false)] {
            bytes[8] = UInt8(version)
            #expect(((try? RoadNetwork(Data(bytes))) != nil) == isRead, "version \(version)")
        }
    }

    /// What streets were like before there was room for bikes on them: the words are left out of a newer file.
    @Test func withoutWordsForBikesAllArterialsAreAlike() throws {
        var words = RoadFileAbout.Reluctance.words(of: UsualReluctance.value)
        #expect(try RoadFileAbout.Reluctance(words: words).value == UsualReluctance.value)
        for key in ["Greenway", "Track", "Lane", "Sharrow", "Busy"] {
            words["bike\(key)Share"] = nil
        }
        let bike = try RoadFileAbout.Reluctance(words: words).value.bike
        #expect(bike.local == 0.15 && bike.greenway == 0.15)
        #expect([bike.track, bike.lane, bike.sharrows, bike.busy] == [0.35, 0.35, 0.35, 0.35])
    }

    @Test func aRoomForBikesThatThereIsNotIsRefused() throws {
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

    @Test func aPartOfTheNumbersForBikesIsRefused() throws {
        let bytes = Array(try RoadFileWriter.bytes(of: try NetworkTrial.town()))
        let hostile = try saying("\"bikeBusyShort\"", for: "\"bikeBusyShare\"", in: bytes)
        #expect(throws: RoadNetworkError.self) { try RoadNetwork(hostile) }
        #expect(throws: Never.self) { try RoadNetwork(Data(bytes)) }
    }

    /// Edges of no time that each stand for the one before twice: 2^100 pieces of road.
    @Test func edgesThatDoubleForEverAreRefused() throws {
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
