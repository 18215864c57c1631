// From typed texts to places and corners.
import BridgecastCore
import BridgecastTestSupport
import Testing
@testable import BridgecastRoads

@Suite struct PlaceNameTests {
    private let town: RoadNetwork = {
        var town = TownBuilder()
        town.road("15th Ave NW", [(0, -900), (0, 0), (0, 300), (0, 900)], .primary)
        town.road("NW Market St", [(-900, 0), (0, 0), (900, 0)], .secondary)
        town.road("NW Mill Ln", [(-900, 300), (0, 300), (900, 300)])
        town.road("Ballard Ave NW", [(-900, 0), (-900, 300)])
        func place(_ name: String, _ aliases: [String] = [], _ kind: Place.Kind, at east: Double) {
            town.places.append(
                Place(name: name, aliases: aliases, kind: kind, point: TownBuilder.point(east, 10)))
        }
        place("University of Washington", ["UW"], .school, at: 0)
        place("University District", ["U District"], .neighbourhood, at: 100)
        place("Ballard", [], .neighbourhood, at: 200)
        place("Ballard Locks", ["Hiram M. Chittenden Locks"], .landmark, at: 300)
        place("Magnolia", [], .neighbourhood, at: 400)
        place("Discovery Park", [], .park, at: 500)
        place("Volunteer Park", [], .park, at: 600)
        place("Gas Works Park", [], .park, at: 700)
        place("Peña Café", [], .landmark, at: 800)
        place("Market Square", [], .stop, at: 0)
        place("Market Square", [], .stop, at: 40)
        place("Ballard Commons", [], .stop, at: 210)
        return town.network()
    }()

    @Test(arguments: [
        ("Ballard", "Ballard"), ("  bAlLaRd ", "Ballard"), ("u-district", "University District"),
        ("UW", "University of Washington"), ("Magnol", "Magnolia"), ("chittenden", "Ballard Locks"),
        ("Hiram M. Chittenden Locks", "Ballard Locks"), ("pena cafe", "Peña Café"),
        ("market square", "Market Square"),
    ])
    func placesAreFoundByNameAliasAndPart(_ example: (String, String)) throws {
        #expect(try town.place(named: example.0).name == example.1)
        #expect(try town.anchor(example.0, for: .bike).name == example.1)
    }

    @Test func `mistyped names get suggestions and ambiguous ones choices`() {
        #expect(throws: PlaceError.unknown("Balard", suggestions: ["Ballard"])) {
            try town.place(named: "Balard")
        }
        #expect(throws: PlaceError.unknown("Atlantis", suggestions: [])) {
            try town.place(named: "Atlantis")
        }
        #expect(
            throws: PlaceError.ambiguous(
                "park", choices: ["Discovery Park", "Volunteer Park", "Gas Works Park"])
        ) { try town.place(named: "park") }
        for nothing in [
            "", "  ", "\u{1b}[2J", "💥", "&", " and ", String(repeating: "x", count: 9_000),
        ] {
            #expect(throws: PlaceError.self) { try town.anchor(nothing, for: .car) }
        }
    }

    @Test func `a part of a name matches one place or is ambiguous`() throws {
        var builder = TownBuilder()
        builder.road("24th Ave NW", [(0, -900), (0, 0), (0, 900)], .primary)
        builder.road("Rainier Ave S", [(-900, 0), (0, 0), (900, 0)], .secondary)
        builder.road("4th Ave", [(-900, 0), (-900, 900)])
        builder.road("Mercer St", [(900, 0), (900, 900)])
        func place(_ name: String, _ aliases: [String] = []) {
            builder.places.append(
                Place(name: name, aliases: aliases, kind: .park, point: TownBuilder.middle))
        }
        place("Ballard, 24th Ave NW")
        place("Rainier Beach")
        place("Roosevelt", ["rainier heights station"])
        place("Mercer Island")
        place("Lake City")
        place("Green Lake")
        place("Fremont", ["fremont troll"])
        let town = builder.network()
        func choices(_ text: String) -> [String]? {
            do throws(PlaceError) {
                _ = try town.place(named: text)
                return nil
            } catch {
                switch error {
                case .ambiguous(_, let choices): return choices
                case .street(_, let corners): return ["street"] + corners
                default: return []
                }
            }
        }
        // Not inside a word: the street is meant.
        #expect(choices("4th") == ["street", "4th Ave & Rainier Ave S"])
        #expect(choices("ake") == [])
        // A street of the name, and other places with the word.
        #expect(choices("24th") == ["Ballard, 24th Ave NW", "24th Ave NW & Rainier Ave S"])
        #expect(
            choices("Rainier B.") == nil && choices("Rainier Ave")?.first == "street")
        #expect(choices("rainier")?.contains("Rainier Ave S & 24th Ave NW") == false)
        #expect(try town.place(named: "Mercer").name == "Mercer Island")
        #expect(
            try town.anchor("Mercer", for: .car).note?.hasSuffix("Mercer St & Rainier Ave S")
                == true)
        #expect(choices("lake") == ["Lake City", "Green Lake"])
        // One place and nothing else.
        for (text, name) in [
            ("Rainier Bea", "Rainier Beach"), ("troll", "Fremont"), ("lake ci", "Lake City"),
            ("gree", "Green Lake"), ("ROOSEVELT", "Roosevelt"), ("roos", "Roosevelt"),
        ] { #expect(try town.place(named: text).name == name) }
    }

    @Test func `completions begin with the largest places and end with stops`() {
        #expect(
            town.completions(of: "ball", limit: 9).map(\.name) == [
                "Ballard", "Ballard Locks", "Ballard Ave NW & NW Market St",
                "Ballard Ave NW & NW Mill Ln", "Ballard Commons",
            ])
        // Any word of a name may be its beginning.
        #expect(
            town.completions(of: "par", limit: 2).map(\.name) == [
                "Discovery Park", "Gas Works Park",
            ])
        #expect(town.completions(of: "uw", limit: 1).first?.kind == .place(.school))
        #expect(town.completions(of: "university of w", limit: 5).count == 1)
    }

    @Test(arguments: [
        ("15th ave nw & m", ["15th Ave NW & NW Market St", "15th Ave NW & NW Mill Ln"]),
        ("fifteenth and nw mar", ["15th Ave NW & NW Market St"]),
        ("15th & ", ["15th Ave NW & NW Market St", "15th Ave NW & NW Mill Ln"]),
        ("15th & mill lane", ["15th Ave NW & NW Mill Ln"]),
        ("15th & zzz", []), ("zzz & 15th", []),
    ])
    func cornersAreCompletedByTheStreetsThatMeet(_ example: (String, [String])) throws {
        let found = town.completions(of: example.0, limit: 9).filter { $0.kind == .corner }
        #expect(found.map(\.name) == example.1)
        // What is offered is understood.
        for completion in found {
            let anchor = try town.anchor(completion.name, for: .car)
            #expect(anchor.point.metres(to: completion.point) < 1)
        }
    }

    @Test func `any text and any point is answered or refused`() {
        let words = [
            "15th", "Ave", "NW", "&", "and", "/", "St", "saint", "n", "", "é", "\u{0}", "twenty",
            "first", "47.6", ",", "-122.3", "nan", "1e400", "market", "🚲", "\u{301}", "at", "-",
            "99th",
        ]
        var random = SeededNumbers(seed: 7)
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                words.randomElement(using: &random) ?? ""
            }.joined(separator: Bool.random(using: &random) ? " " : "")
            let mode = Route.Mode.allCases.randomElement(using: &random) ?? .car
            if let anchor = try? town.anchor(text, for: mode) { #expect(!anchor.spots.isEmpty) }
            #expect(town.completions(of: text, limit: 4).count <= 4)
            let point = GeoPoint(
                latitude: .random(in: -100...100, using: &random),
                longitude: .random(in: -200...200, using: &random))
            #expect(throws: PlaceError.self) { try town.anchor(point, for: mode) }
        }
        for odd in [Double.nan, .infinity, -.infinity, 1e300, 90.1] {
            let point = GeoPoint(latitude: odd, longitude: odd)
            #expect(throws: PlaceError.self) { try town.anchor(point, for: .car) }
        }
        let empty = TownBuilder().network()
        #expect(throws: PlaceError.self) { try empty.anchor(TownBuilder.middle, for: .car) }
        #expect(throws: PlaceError.self) { try empty.anchor("15th & Market", for: .car) }
        #expect(empty.completions(of: "a", limit: 3).isEmpty)
    }
}

/// The same numbers in every run (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

@Suite struct CornerTests {
    /// Ballard's grid, with a street of each name in another part of the city.
    private let town: RoadNetwork = {
        var town = TownBuilder()
        town.road("15th Ave NW", [(0, -900), (0, 0), (0, 300), (0, 900)], .primary)
        town.road("NW Market St", [(-900, 0), (0, 0), (600, 0), (900, 0)], .secondary)
        town.road("N Market St", [(900, 0), (1_400, 0)], .secondary)
        town.road("NW 58th St", [(-900, 300), (0, 300), (600, 300)])
        town.road("NW 58th Pl", [(-900, 900), (0, 900)])
        town.road("8th Avenue Northwest", [(600, -900), (600, 0), (600, 300)])
        town.road("15th Ave NE", [(5_000, -900), (5_000, 300), (5_000, 900)], .secondary)
        town.road("NE 58th St", [(4_000, 300), (5_000, 300), (6_000, 300)])
        town.road("Broadway", [(3_000, 3_000), (3_400, 3_000)])
        town.road("Mount Saint Helens Pl S", [(3_000, 3_000), (3_000, 3_400)])
        // A loop meets its chord twice.
        town.road("Loop Rd", [(-3_000, 0), (-3_000, 500), (-2_000, 500), (-2_000, 0)])
        town.road("Chord St", [(-3_500, 0), (-3_000, 0), (-2_000, 0), (-1_500, 0)])
        // A street whose directions are 20 m apart.
        town.road("Elm Way", [(0, -3_000), (300, -3_000)], .primary, isOneWay: true)
        town.road("Elm Way", [(300, -2_980), (0, -2_980)], .primary, isOneWay: true)
        town.road("1st Ave S", [(0, -3_100), (0, -3_000), (0, -2_980), (0, -2_900)])
        // A ramp's name says where it leads.
        town.road(
            "Broadway / Pine St", [(0, 900), (200, 1_000)], .primary,
            flags: [.link, .noStopping], isOneWay: true)
        town.places = [
            Place(
                name: "Hall of Science and Industry", kind: .landmark,
                point: TownBuilder.point(100, 100))
        ]
        return town.network()
    }()

    @Test(arguments: [
        "15th Ave NW & NW Market St", "15th Ave NW and Market", "NW Market St at 15th Ave NW",
        "market / 15th", "Fifteenth Avenue Northwest & Market Street", "15th&market",
        "15 @ nw. market st.", "15th Ave N.W. & NW Market St, Seattle, WA", "15th & mark",
    ])
    func cornersAreFoundHoweverStreetsAreSpelled(_ text: String) throws {
        let anchor = try town.anchor(text, for: .car)
        #expect(anchor.point.metres(to: TownBuilder.point(0, 0)) < 1)
        #expect(anchor.name.contains("15th Ave NW") && anchor.name.contains("NW Market St"))
        // One can leave in four directions and arrive from four.
        #expect(anchor.spots.count { $0.share == 0 } == 4)
        #expect(anchor.spots.count { $0.share == 1 } == 4)
    }

    @Test func cornersInSeveralPartsOfTheCityAreAChoice() throws {
        #expect(
            throws: PlaceError.ambiguous(
                "15th & 58th", choices: ["15th Ave NW & NW 58th St", "15th Ave NE & NE 58th St"])
        ) { try town.anchor("15th & 58th", for: .car) }
        #expect(try town.anchor("15th ne & 58th", for: .car).name == "15th Ave NE & NE 58th St")
        // A place is meant only where it is named.
        #expect(try town.anchor("15th nw & 58th", for: .car).name == "15th Ave NW & NW 58th St")
        #expect(try town.anchor("15th nw & 58th pl", for: .car).name.hasSuffix("NW 58th Pl"))
    }

    @Test func `streets that meet twice are distinguished by coordinates that can be typed`() throws
    {
        let choices = try #require(ambiguity("Loop Rd & Chord St"))
        #expect(choices.count == 2 && choices.allSatisfy { $0.contains("(Loop Rd & Chord St)") })
        for choice in choices {
            let typed = try #require(choice.split(separator: " ").first)
            let anchor = try town.anchor(String(typed), for: .car)
            #expect(anchor.point.metres(to: TownBuilder.point(-2_500, 0)) < 510)
        }
    }

    @Test func bothCarriagewaysOfAStreetAreOneCorner() throws {
        let anchor = try town.anchor("Elm & First Ave S", for: .car)
        #expect(town.roads(of: anchor).count { $0 == "Elm Way" } == 2)
        #expect(Set(anchor.spots.map(\.arc)).count < anchor.spots.count)
    }

    @Test func `saints are not streets, and names without kinds are found`() throws {
        let name = "Broadway & Mount Saint Helens Pl S"
        #expect(try town.anchor("broadway & mt st helens", for: .walk).name == name)
        #expect(try town.anchor("Broadway & Mount St. Helens Place South", for: .walk).name == name)
    }

    @Test func `problems with a corner are reported`() throws {
        #expect(
            throws: PlaceError.noCorner(
                "Broadway & NW Market", streets: ["Broadway", "NW Market St"],
                suggestions: [
                    "Broadway & Mount Saint Helens Pl S", "NW Market St & 8th Avenue Northwest",
                ])
        ) { try town.anchor("Broadway & NW Market", for: .car) }
        // Of several streets of a name the nearest one.
        #expect(
            throws: PlaceError.noCorner(
                "Broadway & Market", streets: ["Broadway", "N Market St"],
                suggestions: ["Broadway & Mount Saint Helens Pl S"])
        ) { try town.anchor("Broadway & Market", for: .car) }
        #expect(
            throws: PlaceError.unknownStreet(
                "Markt St & 15th", street: "Markt St",
                suggestions: ["NW Market St", "N Market St"])
        ) { try town.anchor("Markt St & 15th", for: .car) }
        #expect(
            throws: PlaceError.street(
                "15th Ave NW",
                corners: ["15th Ave NW & NW Market St", "15th Ave NW & NW 58th St"])
        ) { try town.anchor("15th Ave NW", for: .car) }
    }

    @Test func trailsAreNotOfferedWhereThereAreStreets() {
        var town = TownBuilder()
        town.road("Dravus St", [(-900, 0), (0, 0), (900, 0)])
        town.road("Bay Trail", [(900, 0), (900, 900)], .trail, modes: [.bike, .walk])
        town.road("Elm St", [(-900, 0), (-900, 900)])
        town.road("15th Ave", [(1_500, 500), (1_500, 2_500)])
        town.road("Oak St", [(1_500, 2_500), (2_500, 2_500)])
        #expect(
            throws: PlaceError.noCorner(
                "Dravus & 15th", streets: ["Dravus St", "15th Ave"],
                suggestions: ["Dravus St & Elm St", "15th Ave & Oak St"])
        ) { try town.network().anchor("Dravus & 15th", for: .car) }
    }

    @Test func `ramps are not streets`() {
        #expect(
            throws: PlaceError.unknownStreet("15th & Pine St", street: "Pine St", suggestions: [])
        ) {
            try town.anchor("15th & Pine St", for: .car)
        }
        #expect(town.completions(of: "15th & broadway", limit: 5).isEmpty)
    }

    @Test func `a word such as and in a name does not make a corner`() throws {
        #expect(
            try town.anchor("science and ind", for: .car).name == "Hall of Science and Industry")
    }

    private func ambiguity(_ text: String) -> [String]? {
        do throws(PlaceError) {
            _ = try town.anchor(text, for: .car)
            return nil
        } catch {
            guard case .ambiguous(_, let choices) = error else { return nil }
            return choices
        }
    }
}

@Suite struct SeattlePlaceTests {
    private let seattle = Fixtures.seattle
    private let noon = Fixtures.timestamp("2026-02-18T12:00")

    @Test(arguments: [
        ("Ballard", "Ballard"), ("  bAlLaRd ", "Ballard"), ("u-district", "University District"),
        ("UW", "University of Washington"), ("Magnol", "Magnolia"), ("fremont tr", "Fremont"),
        ("SODO", "SoDo"), ("Hiram M. Chittenden Locks", "Ballard Locks"),
    ])
    func placesAreFoundByNameAliasAndPart(_ example: (String, String)) throws {
        #expect(try seattle.place(named: example.0).name == example.1)
    }

    @Test(arguments: [
        "Westlake", "Symphony", "Pioneer Square", "International District/Chinatown", "Stadium",
        "SODO", "Beacon Hill", "Mount Baker", "Columbia City", "Othello", "Rainier Beach",
        "Capitol Hill", "University of Washington", "U District", "Roosevelt", "Northgate",
        "Pinehurst", "Judkins Park",
    ])
    func everyStationOfTheLineInTheCityIsAPlace(_ name: String) throws {
        let place = try seattle.place(named: "\(name) station")
        #expect(place.kind == .station && place.name == "\(name) Station")
        #expect(throws: Never.self) { try seattle.anchor(place, for: .walk) }
    }

    /// Corners of the map at which the stations and schools are.
    @Test(arguments: [
        ("Judkins Park", "23rd Ave S & S Judkins St"),
        ("Pinehurst Station", "5th Ave NE & NE 131st Pl"),
        ("Colman Dock", "Alaskan Way & Marion St"),
        ("Fauntleroy ferry", "Fauntleroy Way SW & SW Director St"),
        ("Virginia Mason", "9th Ave & Seneca St"),
        ("Swedish Ballard", "Tallman Ave NW & NW Central Pl"),
        ("Franklin High School", "Rainier Ave S & S Mount Baker Blvd"),
        ("Cleveland High School", "15th Ave S & S Lucile St"),
        ("Chief Sealth", "SW Thistle St & 26th Ave SW"),
        ("West Seattle High School", "California Ave SW & SW Stevens St"),
        ("Rainier Beach High School", "Seward Park Ave S & S Henderson St"),
        ("Nathan Hale High School", "30th Ave NE & NE 110th St"),
        ("Seattle Central College", "Broadway & E Pine St"),
        ("North Seattle College", "College Way N & N 97th St"),
    ])
    func placesAreAtTheirCorners(_ example: (String, String)) throws {
        let place = try seattle.place(named: example.0)
        let corner = try seattle.anchor(example.1, for: .walk)
        #expect(place.point.metres(to: corner.point) < 200, "\(example)")
    }

    @Test(arguments: Route.Mode.allCases)
    func noTripToAPlaceEndsOnATurningLane(_ mode: Route.Mode) throws {
        let anchors = seattle.places.compactMap { try? seattle.anchor($0, for: mode) }
        #expect(anchors.count > 140)
        for anchor in anchors {
            let isLane = anchor.spots.contains { seattle.map.arcs[$0.arc].flags.contains(.link) }
            #expect(!isLane, "\(anchor.name)")
        }
    }

    @Test(arguments: ["Bellevue", "Vashon", "sea-tac"])
    func `places outside the network are reported as such`(_ name: String) {
        #expect { try seattle.anchor(name, for: .car) } throws: { error in
            guard case .outOfArea? = error as? PlaceError else { return false }
            return "\(error)".contains("from the nearest road")
        }
    }

    @Test func aStreetDoesNotHideAnotherOfALongerName() {
        let names = seattle.completions(of: "broad", limit: 10).map(\.name)
        #expect(names.contains("Broadview") && names.contains("Capitol Hill"))
        #expect(names.contains { $0.hasPrefix("Broad St &") })
        #expect(names.contains { $0.hasPrefix("Broadway") })
    }

    @Test func `mistyped names get suggestions and ambiguous ones choices`() {
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

    @Test(arguments: ["4th", "lake", "center", "24th", "troll"])
    func `a word of several places or of a street is ambiguous`(_ text: String) {
        #expect {
            try seattle.place(named: text)
        } throws: { error in
            switch error as? PlaceError {
            case .ambiguous(_, let choices): choices.count > 1
            case .street(_, let corners): !corners.isEmpty
            default: false
            }
        }
    }

    @Test func `coordinates snap to the nearest road`() throws {
        // 200 m east of 15th Ave NW, half way between NW 65th and NW Market St.
        let anchor = try seattle.anchor("47.6722,-122.3735", for: .car)
        let target = try seattle.anchor("Crown Hill", for: .car)
        let paths = seattle.paths(from: anchor, to: target, mode: .car, leaving: noon) { _ in nil }
        let path = try #require(paths.first)
        let straight = GeoPoint(latitude: 47.6722, longitude: -122.3735).metres(
            to: GeoPoint(latitude: 47.6906, longitude: -122.3762))
        #expect((straight...straight * 1.35).contains(path.metres))
        // Two places on one piece of road: the way between them, not round by its ends.
        let near = try seattle.anchor("47.6710,-122.3762", for: .car)
        let nearer = try seattle.anchor("47.6730,-122.3762", for: .car)
        let along = seattle.paths(from: near, to: nearer, mode: .car, leaving: noon) { _ in nil }
        #expect(abs(try #require(along.first).metres - 222) < 5)
    }

    @Test(arguments: [
        ("-122.3762,47.6686", "longitude first"), ("45.52,-122.68", "from the nearest road"),
        ("0,0", "from the nearest road"), ("91,-122", "latitude 91"),
        ("47.6476,-122.34973", "is on the Fremont Bridge"),
        ("47.54221,-122.33447", "is on the 1st Ave South Bridge"),
        ("47.58977,-122.26899", "is on the I-90 floating bridge"),
    ])
    func placesThatAreNoOriginsAreNamed(_ example: (String, String)) {
        #expect {
            try seattle.anchor(example.0, for: .car)
        } throws: { "\($0)".contains(example.1) }
    }
}
