// Seattle's network and searches on it: what a driver would notice, and what a file may not be.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RoadNetworkTests {
    private let seattle = RoadNetwork.seattle
    private let noon = Fixtures.moment("2026-02-18T12:00")

    private func quickest(
        _ from: String, _ to: String, _ mode: Route.Mode = .car, at moment: Timestamp? = nil
    ) throws -> Path {
        let paths = RouteSearch(seattle, mode: mode).paths(
            from: try seattle.anchor(from, for: mode), to: try seattle.anchor(to, for: mode),
            leaving: moment ?? noon
        ) { _ in nil }
        return try #require(paths.first, "\(from) to \(to)")
    }

    @Test(arguments: Route.Mode.allCases)
    func betweenAnyTwoPlacesThereIsAWayAtAPlausibleSpeed(_ mode: Route.Mode) throws {
        let allowed: ClosedRange<Double> =
            switch mode {
            case .car: 9...90
            case .bike: 5...18.1
            case .walk: 1.5...4.9
            }
        for (index, place) in seattle.places.enumerated() {
            // A different partner for each place, far and near.
            let other = seattle.places[(index * 37 + 11) % seattle.places.count]
            guard other != place else { continue }
            guard mode == .car || (seattle.isStreet(place, mode) && seattle.isStreet(other, mode))
            else { continue }
            let path = try quickest(place.name, other.name, mode)
            let metres = seattle.point(of: place).metres(to: seattle.point(of: other))
            #expect(path.metres >= metres * 0.998, "\(place.name) to \(other.name)")
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
            ("Roosevelt", "Downtown", .car), ("Capitol Hill", "Kirkland", .car),
            ("West Seattle", "SoDo", .car), ("Georgetown", "Southcenter", .car),
            ("South Park", "Southcenter", .car), ("Museum of Flight", "Tukwila", .bike),
            ("Ballard Locks", "Discovery Park", .walk),
        ]
        let used = try trips.reduce(into: Set<Int>()) { used, trip in
            used.formUnion(try quickest(trip.0, trip.1, trip.2).crossings)
        }
        let missing = seattle.crossings.indices.filter { !used.contains($0) }
        #expect(missing.map { seattle.crossings[$0].name } == [])
        #expect(Set(seattle.crossings.compactMap(\.bridge)) == Set(BridgeIndex.all))
    }

    @Test func whoEntersLaterLeavesLaterOnEveryRoad() {
        var random = SeededGenerator(seed: 2)
        for edge in seattle.edges {
            for mode in Route.Mode.allCases where seattle.classes[edge.roadClass].allows(mode) {
                for day in ["2026-02-18", "2026-02-21"] {  // a Wednesday, a Saturday
                    let start = Double.random(in: 0..<1439, using: &random)
                    let wait = Double.random(in: 0.01..<90, using: &random)
                    let first = DayClock(Fixtures.moment("\(day)T00:00")).adding(minutes: start)
                    let second = first.adding(minutes: wait)
                    let roadClass = seattle.classes[edge.roadClass]
                    let early = seattle.minutes(edge.metres, edge.roadClass, mode, entering: first)
                    let late =
                        wait
                        + seattle.minutes(
                            edge.metres, edge.roadClass, mode, entering: second)
                    #expect(late > early, "\(mode) at \(start) and \(wait) later on \(day)")
                    #expect(early >= roadClass.leastMinutes(edge.metres, mode) * (1 - 1e-12))
                }
            }
        }
    }

    @Test func rushHourIsSlowerThanNightAndDriversKnowTheWay() throws {
        let night = try quickest("Ballard", "Downtown", at: Fixtures.moment("2026-02-18T03:00"))
        let rush = try quickest("Ballard", "Downtown", at: Fixtures.moment("2026-02-18T17:15"))
        #expect(rush.minutes > night.minutes * 1.2)
        let toAirport = try quickest(
            "Northgate", "SeaTac Airport", at: Fixtures.moment("2026-02-18T03:00"))
        #expect(toAirport.name(on: seattle).contains("I-5"))
        // The trail and the swing bridge for bikes, the high bridge for cars.
        #expect(
            try quickest("West Seattle", "Stadiums", .bike).name(on: seattle).contains(
                "Lower Spokane St Bridge"))
        #expect(
            try quickest("West Seattle", "Stadiums").name(on: seattle).contains(
                "West Seattle High Bridge"))
        #expect(
            try quickest("South Park", "Museum of Flight").crossings.map {
                seattle.crossings[$0].name
            } == ["South Park Bridge"])
    }

    @Test func alternativesDifferInTheirCrossings() throws {
        let paths = RouteSearch(seattle, mode: .car).paths(
            from: try seattle.anchor("Fremont", for: .car),
            to: try seattle.anchor("South Lake Union", for: .car), leaving: noon
        ) { $0.minutes * 2 + 5 }
        let crossings = paths.map { path in path.crossings.map { seattle.crossings[$0].name } }
        #expect(Set(crossings).count == crossings.count)
        #expect(crossings.contains(["Fremont Bridge"]) && crossings.contains(["Aurora Bridge"]))
        #expect(paths.map(\.minutes) == paths.map(\.minutes).sorted())
        // Nobody goes over the canal and back.
        #expect(crossings.allSatisfy { $0.count <= 1 })
    }

    @Test func aTripOverMidnightAndAroundTheClockChangeGoesOn() throws {
        for moment in [
            "2026-03-07T23:55", "2026-03-08T01:55", "2026-11-01T00:55", "2025-12-31T23:58",
        ] {
            let path = try quickest("Northgate", "SeaTac Airport", at: Fixtures.moment(moment))
            #expect((15...45).contains(path.minutes))
        }
        let friday = DayClock(Fixtures.moment("2026-02-20T23:50"))
        #expect(friday.dayType == .weekday && friday.nextDayType == .weekend)
        let saturday = friday.adding(minutes: 20)
        #expect(saturday.dayType == .weekend && abs(saturday.minuteOfDay - 10) < 1e-9)
    }

    // MARK: places

    @Test(arguments: [
        ("Ballard", "Ballard"), ("  bAlLaRd ", "Ballard"), ("u-district", "University District"),
        ("UW", "University of Washington"), ("Magnol", "Magnolia"), ("troll", "Fremont"),
        ("SEATAC", "SeaTac Airport"), ("Hiram M. Chittenden Locks", "Ballard Locks"),
    ])
    func placesAreFoundByNameAliasAndPart(_ example: (String, String)) throws {
        #expect(try seattle.place(named: example.0).name == example.1)
    }

    @Test func mistypedNamesGetASuggestionAndVagueOnesAChoice() {
        #expect(throws: PlaceError.unknown("Balard", suggestions: ["Ballard"])) {
            try seattle.place(named: "Balard")
        }
        #expect(throws: PlaceError.unknown("Atlantis", suggestions: [])) {
            try seattle.place(named: "Atlantis")
        }
        #expect {
            try seattle.place(named: "park")
        } throws: { error in
            guard case .ambiguous(_, let choices)? = error as? PlaceError else { return false }
            return choices.contains("Discovery Park") && choices.count >= 3
        }
        for nothing in ["", "  ", "\u{1b}[2J", "💥"] {
            #expect(throws: PlaceError.self) { try seattle.place(named: nothing) }
        }
    }

    @Test func coordinatesAreLedToTheNearestRoad() throws {
        // 200 m east of 15th Ave NW, half way between NW 65th and NW Market St.
        let anchor = try seattle.anchor("47.6722,-122.3735", for: .car)
        let target = try seattle.anchor("Crown Hill", for: .car)
        let paths = RouteSearch(seattle, mode: .car).paths(from: anchor, to: target, leaving: noon)
        { _ in nil }
        let path = try #require(paths.first)
        let straight = GeoPoint(latitude: 47.6722, longitude: -122.3735).metres(
            to: GeoPoint(latitude: 47.6906, longitude: -122.3762))
        #expect((straight...straight * 1.35).contains(path.metres))
        // Two places on one piece of road: the way between them, not round by its ends.
        let near = try seattle.anchor("47.6710,-122.3762", for: .car)
        let nearer = try seattle.anchor("47.6730,-122.3762", for: .car)
        let along = RouteSearch(seattle, mode: .car).paths(from: near, to: nearer, leaving: noon) {
            _ in nil
        }
        #expect(abs(try #require(along.first).metres - 222) < 5)
    }

    @Test(arguments: [
        ("-122.3762,47.6686", "longitude first"), ("45.52,-122.68", "from the nearest road"),
        ("0,0", "from the nearest road"), ("91,-122", "from the nearest road"),
        ("47.6476,-122.34973", "lies on the Fremont Bridge"),
        ("47.54221,-122.33447", "lies on the 1st Ave South Bridge"),
    ])
    func placesNobodyStartsFromAreNamed(_ example: (String, String)) {
        #expect {
            try seattle.anchor(example.0, for: .car)
        } throws: { "\($0)".contains(example.1) }
    }

    // MARK: files

    private static let small = """
        {"name": "small", "classes": {"street": {"kmh": 30, "modes": ["car"]}},
         "nodes": {"a": [47.60, -122.33], "b": [47.61, -122.33]},
         "roads": [{"name": "Road", "class": "street", "nodes": ["a", "b"]}],
         "places": [{"name": "A", "node": "a"}, {"name": "B", "node": "b"}]}
        """

    @Test func aSmallNetworkIsRead() throws {
        let network = try RoadNetwork(json: Data(Self.small.utf8))
        let path = try #require(
            RouteSearch(network, mode: .car).paths(
                from: try network.anchor("A", for: .car), to: try network.anchor("B", for: .car),
                leaving: noon
            ) { _ in nil }.first)
        #expect(abs(path.metres - 1_112) < 2 && abs(path.minutes - path.metres / 500) < 1e-9)
        #expect(path.name(on: network) == "Road")
    }

    @Test(arguments: [
        ("\"kmh\": 30", "\"kmh\": 300", "km/h"), ("\"kmh\": 30, ", "", "km/h"),
        ("[\"car\"]", "[\"boat\"]", "car, bike and walk"),
        ("\"street\", \"nodes\"", "\"lane\", \"nodes\"", "not defined"),
        ("[\"a\", \"b\"]}", "[\"a\", \"c\"]}", "unknown node"),
        ("[\"a\", \"b\"]}", "[\"a\"]}", "at least two"),
        ("[47.61, -122.33]", "[47.61]", "latitude, longitude"),
        ("[47.61, -122.33]", "[147.61, -122.33]", "no place on earth"),
        ("[47.61, -122.33]", "[48.61, -122.33]", "m long"),
        ("\"b\"]}", "\"b\"], \"detour\": 0.5}", "detour"),
        ("\"b\"]}", "\"b\"], \"bridge\": \"Tower\"}", "no drawbridge"),
        ("\"b\"]}", "\"b\"], \"bridge\": \"Fremont\", \"crossing\": \"x\"}", "not both"),
        ("\"b\"]}", "\"b\"], \"oneWay\": true}", "no way by car"),
        ("\"node\": \"b\"", "\"node\": \"z\"", "unknown node"),
        ("\"modes\": [\"car\"]", "\"modes\": [\"car\"], \"weekday\": [1, 2]", "24 factors"),
        ("{\"name\"", "{\"nam\"", "not a road network"),
    ])
    func aBrokenNetworkIsRefusedWithThePlace(_ change: (String, String, String)) throws {
        let broken = Self.small.replacingOccurrences(of: change.0, with: change.1)
        #expect(broken != Self.small)
        #expect {
            try RoadNetwork(json: Data(broken.utf8))
        } throws: { "\($0)".contains(change.2) }
    }

    @Test func aRoadOnWhichWaitingPaysIsRefused() {
        // 20 km that take two hours at six and ten minutes at seven.
        let factors = (0..<24).map { $0 == 6 ? "0.05" : "1" }.joined(separator: ", ")
        let jam = Self.small.replacingOccurrences(
            of: "\"modes\"", with: "\"weekday\": [\(factors)], \"modes\""
        ).replacingOccurrences(of: "47.61,", with: "47.78,")
        #expect {
            try RoadNetwork(json: Data(jam.utf8))
        } throws: { "\($0)".contains("would arrive earlier") }
    }
}

extension RoadNetwork {
    /// Whether a place lies on a road for the mode.
    fileprivate func isStreet(_ place: Place, _ mode: Route.Mode) -> Bool {
        edges[firstEdge[place.node]..<firstEdge[place.node + 1]].contains {
            classes[$0.roadClass].allows(mode)
        }
    }
}
