// Where trips begin and end: places by name and by coordinates, and what is said of those that are none.
import BridgecastCore
@testable import BridgecastRoads
import BridgecastTestSupport
import Testing

@Suite struct SeattlePlaceTests {
    private let seattle = Fixtures.seattle
    private let noon = Fixtures.moment("2026-02-18T12:00")

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

    /// Corners of the map that the stations and schools which are named after them stand at.
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
    func placesStandAtTheirCorners(_ example: (String, String)) throws {
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
    func placesOutsideAreSaidToBeOutside(_ name: String) {
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

    @Test(arguments: ["4th", "mercer", "lake", "center", "Rainier", "24th", "troll"])
    func aWordOfStreetsOrOfSeveralPlacesIsAskedBack(_ text: String) {
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
        ("47.58977,-122.26899", "lies on the I-90 floating bridge"),
    ])
    func placesNobodyStartsFromAreNamed(_ example: (String, String)) {
        #expect {
            try seattle.anchor(example.0, for: .car)
        } throws: { "\($0)".contains(example.1) }
    }
}
