// Routes on Seattle's network: speeds, crossings, passages, detours, bikes.
import BridgecastCore
import BridgecastTestSupport
import Testing
@testable import BridgecastRoads

@Suite struct SeattleRoadsTests {
    private let seattle = Fixtures.seattle
    private let noon = Fixtures.timestamp("2026-02-18T12:00")

    private func quickest(
        _ from: String, _ to: String, _ mode: Route.Mode = .car, at time: Timestamp? = nil
    ) throws -> Path {
        let paths = seattle.paths(
            from: try seattle.anchor(from, for: mode), to: try seattle.anchor(to, for: mode),
            mode: mode, leaving: time ?? noon
        ) { _ in nil }
        return try #require(paths.first, "\(from) to \(to)")
    }

    @Test(arguments: Route.Mode.allCases)
    func `any two places are connected at a plausible speed`(_ mode: Route.Mode) throws {
        let allowed: ClosedRange<Double> =
            switch mode {
            case .car: 9...90
            case .bike: 5...18.1
            case .walk: 1.5...4.9
            }
        let places = seattle.places.filter { place in
            place.kind != .stop && (try? seattle.anchor(place, for: mode)) != nil
        }
        #expect(places.count > 70)
        for (index, place) in places.enumerated() {
            // A different partner for each place, far and near.
            let other = places[(index * 37 + 11) % places.count]
            guard other != place else { continue }
            let path = try quickest(place.name, other.name, mode)
            let metres = try seattle.anchor(place, for: mode).point.metres(
                to: seattle.anchor(other, for: mode).point)
            #expect(path.metres >= metres * 0.998 - 250, "\(place.name) to \(other.name)")
            let kmh = path.metres / path.minutes * 0.06
            #expect(allowed.contains(kmh), "\(place.name) to \(other.name): \(kmh) km/h")
        }
    }

    @Test func everyCrossingIsOnSomeShortestPath() throws {
        let trips: [(String, String, Route.Mode)] = [
            ("Ballard", "Interbay", .car), ("Fremont", "Seattle Pacific University", .car),
            ("University of Washington", "Eastlake", .car), ("Husky Stadium", "Montlake", .car),
            ("Harbor Island", "Delridge", .car), ("Highland Park", "Georgetown", .car),
            ("South Park", "Museum of Flight", .car), ("Woodland Park Zoo", "Seattle Center", .car),
            ("Roosevelt", "Downtown", .car), ("West Seattle", "SoDo", .car),
            ("Ballard Locks", "Discovery Park", .walk),
        ]
        let used = try trips.reduce(into: Set<Int>()) { used, trip in
            used.formUnion(try quickest(trip.0, trip.1, trip.2).crossings)
        }
        let names = Set(used.map { seattle.crossings[$0].name })
        #expect(
            names.isSuperset(of: [
                "Aurora Bridge", "I-5 Ship Canal Bridge", "West Seattle Bridge",
                "Ballard Locks walkway",
            ]))
        #expect(Set(used.compactMap { seattle.crossings[$0].bridge }) == Set(BridgeIndex.all))
        #expect(Set(seattle.crossings.compactMap(\.bridge)) == Set(BridgeIndex.all))
    }

    @Test func `the rush hour is slower than the night, and drivers avoid it`() throws {
        let night = try quickest("Ballard", "Downtown", at: Fixtures.timestamp("2026-02-18T03:00"))
        let rush = try quickest("Ballard", "Downtown", at: Fixtures.timestamp("2026-02-18T17:15"))
        #expect(rush.minutes > night.minutes * 1.2)
        let toAirport = try quickest(
            "Northgate", "White Center", at: Fixtures.timestamp("2026-02-18T03:00"))
        #expect(toAirport.name(on: seattle).contains("I-5"))
        // The trail and the swing bridge for bikes, the high bridge for cars.
        #expect(
            try quickest("West Seattle", "Stadiums", .bike).name(on: seattle).contains(
                "Lower Spokane St Bridge"))
        #expect(
            try quickest("West Seattle", "Stadiums").name(on: seattle).contains(
                "West Seattle Bridge"))
        #expect(
            try quickest("South Park", "Museum of Flight").crossings.map {
                seattle.crossings[$0].name
            } == ["South Park Bridge"])
    }

    @Test func alternativesDifferInTheirCrossings() throws {
        let paths = seattle.paths(
            from: try seattle.anchor("Fremont", for: .car),
            to: try seattle.anchor("South Lake Union", for: .car), mode: .car, leaving: noon
        ) { $0.minutes * 2 + 5 }
        let crossings = paths.map { path in path.crossings.map { seattle.crossings[$0].name } }
        #expect(Set(crossings).count == crossings.count)
        #expect(crossings.contains(["Fremont Bridge"]) && crossings.contains(["Aurora Bridge"]))
        #expect(paths.map(\.minutes) == paths.map(\.minutes).sorted())
        // No path goes over the canal and back.
        #expect(crossings.allSatisfy { $0.count <= 1 })
    }

    @Test func `trips over midnight and a clock change are timed`() throws {
        for time in [
            "2026-03-07T23:55", "2026-03-08T01:55", "2026-11-01T00:55", "2025-12-31T23:58",
        ] {
            let path = try quickest("Northgate", "White Center", at: Fixtures.timestamp(time))
            #expect((15...45).contains(path.minutes))
        }
    }
}

@Suite struct SeattleDetourTests {
    private let seattle = Fixtures.seattle

    private func paths(
        _ from: String, _ to: String, _ hour: String, mode: Route.Mode = .car
    ) throws -> [Path] {
        seattle.paths(
            from: try seattle.anchor(from, for: mode), to: try seattle.anchor(to, for: mode),
            mode: mode, leaving: Fixtures.timestamp("2026-02-24T\(hour)")
        ) { $0.minutes * 1.25 + 6 }
    }

    private func path(
        _ from: String, _ to: String, _ hour: String, over crossing: String
    ) throws -> Path {
        try #require(
            try paths(from, to, hour).first { path in
                path.crossings.contains { seattle.crossings[$0].name == crossing }
            }, "\(from) to \(to) over \(crossing)")
    }

    private func names(_ path: Path) -> [String] {
        path.pieces.map { seattle.map.names[Int(seattle.map.arcs[$0.arc].name)] }
    }

    // MARK: Leaving a motorway

    @Test(arguments: [
        ("West Seattle", "Ballard", "12:00", "Ballard Bridge"),
        ("West Seattle", "Ballard", "12:00", "Fremont Bridge"),
        ("Georgetown", "Ballard", "12:00", "Ballard Bridge"),
        ("Ballard", "West Seattle", "17:40", "Ballard Bridge"),
        ("Ballard", "West Seattle", "17:40", "Fremont Bridge"),
        ("Greenwood", "SoDo", "12:00", "Aurora Bridge"),
        ("Crown Hill", "Georgetown", "12:00", "Ballard Bridge"),
        ("Crown Hill", "Georgetown", "12:00", "Aurora Bridge"),
    ])
    func aTunnelIsPartOfItsRoad(_ trip: (String, String, String, String)) throws {
        let path = try path(trip.0, trip.1, trip.2, over: trip.3)
        let names = names(path)
        #expect(names.contains("SR 99 Tunnel") && names.contains("SR 99"))
        #expect(!path.rejoinsMotorway(on: seattle))
    }

    @Test func expressLanesArePartOfTheirFreeway() throws {
        let path = try path("South Park", "Northgate", "12:00", over: "I-5 express lanes")
        #expect(names(path).contains("I-5") && !path.rejoinsMotorway(on: seattle))
    }

    @Test func `a path that leaves and joins again rejoins`() throws {
        func way(_ from: String, _ to: String) throws -> Path {
            try #require(try paths(from, to, "12:00").first { names($0).contains("SR 520") })
        }
        // Down I-5, over to Montlake by SR 520, and back by both.
        let (there, back) = (try way("Northgate", "Montlake"), try way("Montlake", "Downtown"))
        #expect(!there.rejoinsMotorway(on: seattle) && !back.rejoinsMotorway(on: seattle))
        #expect(names(there).contains("I-5") && names(back).contains("I-5"))
        #expect(Path(pieces: there.pieces + back.pieces).rejoinsMotorway(on: seattle))
        // A road of another number is enough: without what is beyond SR 520.
        let first = try #require(there.pieces.lastIndex { isOn("SR 520", $0) })
        let last = try #require(back.pieces.firstIndex { isOn("SR 520", $0) })
        let around = Path(pieces: Array(there.pieces[...first] + back.pieces[last...]))
        #expect(around.rejoinsMotorway(on: seattle))
    }

    private func isOn(_ road: String, _ piece: Path.Piece) -> Bool {
        seattle.map.names[Int(seattle.map.arcs[piece.arc].name)] == road
    }

    // MARK: Local streets

    /// Metres of local streets between the first arterial and the last.
    private func throughMetres(_ path: Path) -> Double {
        let isLocal = path.pieces.map { seattle.map.arcs[$0.arc].isLocal }
        guard let first = isLocal.firstIndex(of: false), let last = isLocal.lastIndex(of: false)
        else { return 0 }
        return (first...last).reduce(0) { $0 + (isLocal[$1] ? path.pieces[$1].metres : 0) }
    }

    @Test(arguments: [
        ("Ballard", "Downtown", "12:00", "Fremont Bridge"),
        ("Fremont", "Belltown", "12:00", "Fremont Bridge"),
        ("Greenwood", "SoDo", "17:40", "Aurora Bridge"),
        ("Ballard", "Downtown", "17:40", "Aurora Bridge"),
        ("Phinney Ridge", "Downtown", "12:00", "Ballard Bridge"),
        ("Wallingford", "Capitol Hill", "17:40", "University Bridge"),
        ("West Seattle", "15th Ave W & W Armour St", "12:00", "West Seattle Bridge"),
    ])
    func driversStayOnArterials(_ trip: (String, String, String, String)) throws {
        let path = try path(trip.0, trip.1, trip.2, over: trip.3)
        #expect(throughMetres(path) < 100, "\(names(path))")
    }

    @Test func `minutes do not include reluctance`() throws {
        // Alki's streets are local at its end: entering them seems to take longer than it does.
        let path = try #require(try paths("Downtown", "Alki", "12:00").first)
        #expect(path.costMinutes > path.minutes + 0.1)
    }

    @Test func `bikes take the trail`() throws {
        let path = try #require(
            try paths("Fremont", "University District", "12:00", mode: .bike).first)
        let metres = path.pieces.filter { isOn("Burke-Gilman Trail", $0) }
            .reduce(0) { $0 + $1.metres }
        #expect(metres > 1_000, "\(names(path))")
    }
}

@Suite struct SeattlePassageTests {
    private let evening = Fixtures.timestamp("2026-02-20T18:02")

    private func passages(
        _ from: String, _ to: String, _ mode: Route.Mode = .car
    ) throws -> [[DeckPassage]] {
        let roads = Fixtures.seattle
        return roads.passages(
            from: try roads.end(from, for: mode).anchor, to: try roads.end(to, for: mode).anchor,
            mode: mode, leaving: evening)
    }

    @Test func `a trip over the canal has passages over every competing bridge`() throws {
        let ways = try passages("Ballard", "Downtown")
        #expect(ways.allSatisfy { $0.count == 1 })
        let names = Set(ways.flatMap { $0 }.map(\.name))
        #expect(names.isSuperset(of: ["Ballard Bridge", "Fremont Bridge", "Aurora Bridge"]))
        #expect(names.isDisjoint(with: ["South Park Bridge", "West Seattle Bridge"]))
    }

    @Test func `a deck passage has the middle of the deck and the direction of travel`() throws {
        func fremont(_ from: String, _ to: String) throws -> DeckPassage? {
            try passages(from, to).flatMap { $0 }.first { $0.name == "Fremont Bridge" }
        }
        let bridge = BridgeCatalogue[Fixtures.bridge("Fremont")]
        let south = try #require(try fremont("Ballard", "Downtown"))
        let north = try #require(try fremont("Downtown", "Ballard"))
        #expect(south.point.metres(to: bridge.point) < 30)
        #expect(north.point.metres(to: bridge.point) < 30)
        #expect(abs(try #require(south.bearing) - 180) < 20)
        #expect(
            abs((try #require(north.bearing) + 180).truncatingRemainder(dividingBy: 360) - 180) < 20
        )
    }

    @Test func twoWatersAreCrossedByPairs() throws {
        let ways = try passages("West Seattle", "Ballard")
        #expect(
            !ways.isEmpty && ways.allSatisfy { $0.count == 2 }, "\(ways.map { $0.map(\.name) })")
        #expect(ways.contains { $0.map(\.name) == ["West Seattle Bridge", "Ballard Bridge"] })
    }

    @Test func `without water in between there are no passages`() throws {
        #expect(try passages("Ballard", "Fremont").isEmpty)
    }

    @Test func `an end beyond the roads keeps its coordinates`() throws {
        let end = try Fixtures.seattle.end("47.98,-122.2", for: .car)
        #expect(
            end.point == GeoPoint(latitude: 47.98, longitude: -122.2) && end.name == "47.98,-122.2")
        #expect(
            try passages("47.98,-122.2", "Downtown").contains {
                $0.map(\.name) == ["I-5 Ship Canal Bridge"]
            })
        #expect(throws: PlaceError.self) { try Fixtures.seattle.end("37.8,-122.4", for: .car) }
        #expect(throws: PlaceError.self) { try Fixtures.seattle.end("91,-122.4", for: .car) }
    }
}

@Suite struct SeattleRidingTests {
    private let seattle = Fixtures.seattle

    private func way(_ from: String, _ to: String) throws -> Path {
        let paths = seattle.paths(
            from: try seattle.anchor(from, for: .bike), to: try seattle.anchor(to, for: .bike),
            mode: .bike, leaving: Fixtures.timestamp("2026-02-24T12:00")
        ) { _ in nil }
        return try #require(paths.first, "\(from) to \(to)")
    }

    private func metres(_ path: Path, where isWanted: (RoadArc) -> Bool) -> Double {
        path.pieces.reduce(0) { $0 + (isWanted(seattle.map.arcs[$1.arc]) ? $1.metres : 0) }
    }

    private func isOn(_ road: String, _ arc: RoadArc) -> Bool {
        seattle.map.names[Int(arc.name)] == road
    }

    @Test(arguments: [
        ("Leschi", "Seward Park", "Lake Washington Blvd S", 2_500.0),
        ("Fremont", "Dexter Ave N & Thomas St", "Dexter Ave N", 1_000),
        ("Columbia City", "Downtown", "Martin Luther King Jr Way S", 1_000),
        ("Georgetown", "SoDo", "6th Ave S", 1_500),
        ("West Seattle", "Downtown", "SW Avalon Way", 500),
    ])
    func ridersTakeStreetsWithRoomForThem(_ trip: (String, String, String, Double)) throws {
        let path = try way(trip.0, trip.1)
        #expect(metres(path) { isOn(trip.2, $0) } > trip.3)
    }

    /// Both one-way streets for cars, with tracks for bikes that lead both ways.
    @Test(arguments: ["2nd Ave", "4th Ave"])
    func `the tracks downtown lead against the cars`(_ street: String) {
        let against = seattle.map.arcs.filter {
            isOn(street, $0) && $0.bikeDeciseconds > 0 && $0.carDeciseconds == 0
                && $0.bikeRoom == .track
        }
        #expect(against.reduce(0) { $0 + $1.metres } > 1_900)
    }

    @Test func `bikes avoid busy arterials`() throws {
        let trips = [
            ("Ballard", "Downtown"), ("Greenwood", "Fremont"), ("Rainier Beach", "Capitol Hill"),
            ("Columbia City", "Downtown"), ("University of Washington", "Downtown"),
        ]
        for (from, to) in trips {
            let path = try way(from, to)
            let busy = metres(path) {
                $0.roadClass == .primary && $0.bikeRoom != .track && $0.bikeRoom != .lane
            }
            #expect(busy < 0.13 * path.metres, "\(from) to \(to): \(busy) m")
        }
    }

    @Test func `minutes do not include reluctance`() throws {
        let path = try way("Rainier Beach", "Capitol Hill")
        let free = path.pieces.reduce(0) { sum, piece in
            let arc = seattle.map.arcs[piece.arc]
            return sum + Double(arc.bikeDeciseconds) / 600 * piece.metres
                / max(Double(arc.metres), 0.1)
        }
        #expect(abs(path.minutes - free) < 0.05)
        #expect(path.costMinutes > path.minutes * 1.05)
    }

    @Test func roomForBikesIsOnTheMap() {
        func kilometres(_ room: BikeRoom) -> Float {
            seattle.map.arcs.filter { $0.bikeRoom == room }.reduce(0) { $0 + $1.metres } / 1_000
        }
        // Both directions count.
        #expect(kilometres(.track) > 80 && kilometres(.track) < 160)
        #expect(kilometres(.lane) > 150 && kilometres(.lane) < 300)
        #expect(kilometres(.greenway) > 150 && kilometres(.greenway) < 400)
        #expect(kilometres(.sharrows) > 200 && kilometres(.sharrows) < 500)
    }
}
