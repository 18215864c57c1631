// What strangers type for places, on the shipped roads.
import BridgecastCore
import BridgecastTestSupport
import Testing
@testable import BridgecastRoads

@Suite struct CommonNameTests {
    private let seattle = Fixtures.seattle

    /// What is typed, the place that is meant, and a street corner next to it.
    private static let names = [
        ("Cap Hill", "Capitol Hill", "Broadway East & E John St"),
        ("the CD", "Central District", "23rd Ave & E Union St"),
        ("Pill Hill", "First Hill", "Boren Ave & Madison St"),
        ("the ID", "International District", "7th Ave S & S Jackson St"),
        ("CID", "International District", "7th Ave S & S Jackson St"),
        ("LQA", "Lower Queen Anne", "Queen Anne Ave N & W Mercer St"),
        ("QA", "Queen Anne", "Queen Anne Ave N & W McGraw St"),
        ("Northgate Mall", "Northgate", "3rd Ave NE & NE Northgate Way"),
        ("U District", "University District", "15th Ave NE & NE 45th St"),
        ("the Ave", "University District", "University Way NE & NE 45th St"),
        ("SLU", "South Lake Union", "Westlake Ave N & Mercer St"),
        ("SoDo", "SoDo", "4th Ave S & S Lander St"),
        ("the Junction", "West Seattle", "California Ave SW & SW Alaska St"),
        ("W Seattle", "West Seattle", "California Ave SW & SW Alaska St"),
        ("the Locks", "Ballard Locks", "NW 54th St & 32nd Ave NW"),
        ("Locks", "Ballard Locks", "NW 54th St & 32nd Ave NW"),
        ("Government Locks", "Ballard Locks", "NW 54th St & 32nd Ave NW"),
        ("King County International Airport", "Boeing Field", "Stanley Ave S & S Hardy St"),
        ("Key Arena", "Climate Pledge Arena", "1st Ave N & Harrison St"),
        ("CenturyLink Field", "Lumen Field", "Occidental Ave S & S Charles St"),
        ("Qwest Field", "Lumen Field", "Occidental Ave S & S Charles St"),
        ("Seahawks Stadium", "Lumen Field", "Occidental Ave S & S Charles St"),
        ("Safeco Field", "T-Mobile Park", "Occidental Ave S & S Royal Brougham Way"),
        ("Mariners Stadium", "T-Mobile Park", "Occidental Ave S & S Royal Brougham Way"),
        ("Public Market", "Pike Place Market", "1st Ave & Pike St"),
        ("Pike Market", "Pike Place Market", "1st Ave & Pike St"),
        ("Washington State Convention Center", "Seattle Convention Center", "8th Ave & Pike St"),
        ("WSCC", "Seattle Convention Center", "8th Ave & Pike St"),
        ("Seattle Aquarium", "Waterfront", "Alaskan Way & Union St"),
        ("Pier 52", "Colman Dock", "Alaskan Way & Marion St"),
        ("Bainbridge ferry", "Colman Dock", "Alaskan Way & Marion St"),
        ("Vashon ferry", "Fauntleroy Ferry Terminal", "Fauntleroy Way SW & SW Barton St"),
        ("Amtrak", "King Street Station", "4th Ave S & S Jackson St"),
        ("Amtrak station", "King Street Station", "4th Ave S & S Jackson St"),
        ("North Seattle Community College", "North Seattle College", "College Way N & N 97th St"),
        ("Seattle Central Community College", "Seattle Central College", "Broadway & E Pine St"),
        ("SCCC", "Seattle Central College", "Broadway & E Pine St"),
        ("Seattle U", "Seattle University", "12th Ave & E Marion St"),
        ("South Seattle Community College", "South Seattle College", "17th Ave SW & SW Graham St"),
        ("UW", "University of Washington", "15th Ave NE & NE 40th St"),
        ("U Dub", "University of Washington", "15th Ave NE & NE 40th St"),
        ("U of W", "University of Washington", "15th Ave NE & NE 40th St"),
        ("the Hutch", "Fred Hutch", "Aloha St & Yale Ave N"),
        ("SCCA", "Fred Hutch", "Aloha St & Yale Ave N"),
        ("Seattle Cancer Care Alliance", "Fred Hutch", "Aloha St & Yale Ave N"),
        ("HMC", "Harborview", "9th Ave & Jefferson St"),
        ("Children's", "Seattle Children's Hospital", "40th Ave NE & Sand Point Way NE"),
        ("UWMC", "UW Medical Center", "NE Pacific St & NE Pacific Pl"),
        ("the Zoo", "Woodland Park Zoo", "Phinney Ave N & N 55th St"),
        ("the Spheres", "Amazon Spheres", "7th Ave & Lenora St"),
        ("Benaroya Hall", "Benaroya Hall", "2nd Ave & Union St"),
        ("Cal Anderson Park", "Cal Anderson Park", "11th Ave & E Pine St"),
        ("Columbia Tower", "Columbia Center", "5th Ave & Columbia St"),
        ("Frye Art Museum", "Frye Art Museum", "Terry Ave & Cherry St"),
        ("Jefferson Park", "Jefferson Park", "Beacon Ave S & S Spokane St"),
        ("Kerry Park", "Kerry Park", "W Highland Dr & 2nd Ave W"),
        ("Kraken Iceplex", "Kraken Community Iceplex", "5th Ave NE & NE 105th St"),
        ("Kubota Garden", "Kubota Garden", "Renton Ave S & 55th Ave S"),
        ("Lincoln Park", "Lincoln Park", "Fauntleroy Way SW & SW Rose St"),
        ("Moore Theatre", "Moore Theatre", "2nd Ave & Virginia St"),
        ("EMP", "MoPOP", "5th Ave N & Harrison St"),
        ("Museum of Pop Culture", "MoPOP", "5th Ave N & Harrison St"),
        ("Nordic Museum", "National Nordic Museum", "NW Market St & 28th Ave NW"),
        ("Neptune Theatre", "Neptune Theatre", "Brooklyn Ave NE & NE 45th St"),
        ("Sculpture Park", "Olympic Sculpture Park", "Western Ave & Broad St"),
        ("Pacific Place", "Pacific Place", "6th Ave & Pine St"),
        ("REI", "REI", "Yale Ave N & John St"),
        ("SAM", "Seattle Art Museum", "1st Ave & University St"),
        ("Asian Art Museum", "Seattle Asian Art Museum", "14th Ave E & E Prospect St"),
        ("Central Library", "Seattle Central Library", "4th Ave & Madison St"),
        ("City Hall", "Seattle City Hall", "5th Ave & Cherry St"),
        ("Smith Tower", "Smith Tower", "2nd Ave & Yesler Way"),
        ("Town Hall", "Town Hall Seattle", "8th Ave & Seneca St"),
        ("Uwajimaya", "Uwajimaya", "5th Ave S & S Weller St"),
        (
            "the Arboretum", "Washington Park Arboretum",
            "Lake Washington Blvd E & E Foster Island Rd"
        ),
    ]

    @Test(arguments: names)
    func `a name in common use is the right place`(_ example: (String, String, String)) throws {
        let place = try seattle.place(named: example.0)
        #expect(place.name == example.1)
        let corner = try seattle.anchor(example.2, for: .walk)
        #expect(place.point.metres(to: corner.point) < 300, "\(example)")
        for mode in Route.Mode.allCases {
            let anchor = try seattle.anchor(example.0, for: mode)
            #expect(anchor.name == example.1 && anchor.note == nil)
            #expect(anchor.point.metres(to: place.point) < 400, "\(example) \(mode)")
        }
    }

    @Test func `every name in common use has a test`() {
        let typed = Set(Self.names.map { PlaceIndex.folded($0.0) })
        let isTested = { (name: String) in
            let folded = PlaceIndex.folded(name)
            return typed.contains(folded) || typed.contains("the" + folded)
        }
        let isLink = { (name: String) in name.contains("Link") || name.contains("light rail") }
        for place in seattle.places {
            for name in CommonNames.others(of: place) where !isLink(name) {
                #expect(isTested(name), "\(name)")
            }
        }
        for sight in CommonNames.sights {
            #expect(([sight.name] + sight.aliases).contains(where: isTested), "\(sight.name)")
        }
    }

    @Test(arguments: ["Link", "Link station", "light rail", "Link light rail", "link  STATION"])
    func `any of its stations may be meant by the name of a line`(_ text: String) throws {
        let error = try #require(throws: PlaceError.self) { try seattle.anchor(text, for: .walk) }
        guard case .ambiguous(_, let choices) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(choices.count == 18 && choices.contains("Westlake Station"))
        #expect(choices.allSatisfy { (try? seattle.place(named: $0))?.kind == .station })
        for choice in choices { #expect(error.description.contains(choice)) }
    }

    @Test func `one station of the line is still named by its own name`() throws {
        #expect(try seattle.place(named: "Westlake Link station").name == "Westlake Station")
        #expect(try seattle.place(named: "King Street Station").name == "King Street Station")
    }

    @Test func `the airport is outside, and the message says so`() throws {
        for text in ["Sea-Tac", "SeaTac Airport", "the airport", "Bellevue, WA"] {
            let error = try #require(throws: PlaceError.self) {
                try seattle.anchor(text, for: .car)
            }
            guard case .outOfArea = error else {
                Issue.record("\(text): \(error)")
                continue
            }
            #expect(error.description.contains("is outside of these roads"))
        }
    }

    @Test func `sights are offered while they are typed`() {
        #expect(seattle.completions(of: "nordic", limit: 3).first?.name == "National Nordic Museum")
        #expect(seattle.completions(of: "key ar", limit: 3).first?.name == "Climate Pledge Arena")
        #expect(seattle.completions(of: "the loc", limit: 3).first?.name == "Ballard Locks")
        #expect(seattle.namedPlaces(limit: 1_000).contains { $0.name == "REI" })
        // What the file holds stays as it is.
        #expect(!seattle.places.contains { $0.name == "REI" })
    }

    @Test(arguments: [
        ("balard", "Ballard"), ("capital hill", "Capitol Hill"), ("capital h", "Capitol Hill"),
        ("queen ane", "Queen Anne"), ("fremnt", "Fremont"),
    ])
    func slipsAreCompletedWhereNothingBeginsSo(_ example: (String, String)) {
        let names = seattle.completions(of: example.0, limit: 8).map(\.name)
        #expect(names.first?.hasSuffix(example.1) == true, "\(names)")
    }

    @Test(arguments: ["zzqx", "xq", "qqqqqqqq", String(repeating: "x", count: 400)])
    func nothingIsOfferedForWhatIsNoSlip(_ text: String) {
        #expect(seattle.completions(of: text, limit: 8).isEmpty)
    }

    @Test func `a point has the corners near it, the nearest first, and one of each name`() {
        let point = GeoPoint(latitude: 47.6687, longitude: -122.3761)
        let corners = seattle.corners(near: point, limit: 5)
        #expect(corners.first?.name == "15th Ave NW & NW Market St")
        let metres = corners.map { $0.point.metres(to: point) }
        #expect(metres == metres.sorted() && Set(corners.map(\.name)).count == corners.count)
        #expect(corners.allSatisfy { $0.kind == .corner })
        for odd in [Double.nan, .infinity, 0, 91] {
            let nowhere = GeoPoint(latitude: odd, longitude: odd)
            #expect(seattle.corners(near: nowhere, limit: 5).isEmpty)
        }
    }

    @Test func `names of the map come first, and sights of another city do not come`() throws {
        var town = TownBuilder()
        town.road("Elm St", [(0, 0), (900, 0)])
        town.places = [
            Place(name: "Capitol Hill", kind: .neighbourhood, point: TownBuilder.point(10, 0)),
            Place(name: "Cap Hill", kind: .park, point: TownBuilder.point(800, 0)),
        ]
        let network = town.network()
        #expect(try network.place(named: "cap hill").kind == .park)
        #expect(throws: PlaceError.unknown("REI", suggestions: [])) {
            try network.place(named: "REI")
        }
    }
}

@Suite struct TypedPlaceTests {
    private let seattle = Fixtures.seattle

    @Test(arguments: [
        "Ballard, Seattle", "Ballard WA", "Ballard, Seattle, WA", "Ballard, WA",
        "Ballard Seattle WA",
        "ballard, seattle, wa 98107", "Ballard, Seattle, Washington, USA", "Ballard,Seattle",
        "Ballard, Seattle, WA, USA", "Ballard, W.A.",
    ])
    func `the city and the state may follow a name`(_ text: String) throws {
        #expect(try seattle.anchor(text, for: .car).name == "Ballard")
        #expect(try seattle.place(named: text).name == "Ballard")
    }

    @Test(arguments: [
        ("West Seattle", "West Seattle"), ("West Seattle, Seattle", "West Seattle"),
        ("West Seattle WA", "West Seattle"), ("Downtown Seattle, WA", "Downtown"),
        ("University of Washington", "University of Washington"),
        ("15th & Market, Seattle", "15th Ave NW & NW Market St"),
        ("15th & Market Seattle WA 98107", "15th Ave NW & NW Market St"),
    ])
    func `a city that is a part of the name stays`(_ example: (String, String)) throws {
        #expect(try seattle.anchor(example.0, for: .car).name == example.1)
    }

    @Test func `an unknown place is shown as it was typed`() {
        #expect(throws: PlaceError.unknown("Atlantis, Seattle, WA", suggestions: [])) {
            try seattle.anchor("Atlantis, Seattle, WA", for: .car)
        }
        for text in ["Seattle", "WA", "98107", "the", ", Seattle", "the the the"] {
            #expect(throws: PlaceError.self) { try seattle.anchor(text, for: .car) }
        }
    }

    @Test(arguments: [
        ("Phinney", "Phinney Ridge", "N Phinney Way &"),
        ("Rainier", "Rainier Beach", "Rainier Ave S &"),
        ("Mercer", "Mercer Island", "Mercer St &"), ("Beacon", "Beacon Hill", "Beacon Ave S &"),
    ])
    func `one neighbourhood is preferred to corners, with a note`(
        _ example: (String, String, String)
    ) throws {
        let anchor = try seattle.anchor(example.0, for: .car)
        #expect(anchor.name == example.1)
        let note = try #require(anchor.note)
        #expect(note.hasPrefix("'\(example.0)' is taken as \(example.1)"))
        #expect(note.contains("give a corner, such as \(example.2)"))
    }

    @Test func `a neighbourhood is preferred to its station, but not to another one`() throws {
        #expect(try seattle.anchor("Capitol", for: .car).name == "Capitol Hill")
        #expect(try seattle.anchor("Ballard", for: .car).note == nil)
        for text in ["Madison", "West", "University", "lake", "Harbor"] {
            let error = try #require(throws: PlaceError.self) {
                try seattle.anchor(text, for: .car)
            }
            guard case .ambiguous = error else {
                Issue.record("\(text): \(error)")
                continue
            }
        }
    }

    @Test(arguments: [
        ("91,0", "the latitude 91 is not from -90 to 90"),
        ("-90.5,-122.3", "the latitude -90.5 is not from -90 to 90"),
        ("47.6,-181", "the longitude -181 is not from -180 to 180"),
    ])
    func `coordinates of no point on Earth are refused as such`(_ example: (String, String)) {
        #expect {
            try seattle.anchor(example.0, for: .car)
        } throws: { "\($0)".contains(example.1) && !"\($0)".contains("nearest road") }
    }
}

@Suite struct PassingStreetTests {
    private let seattle = Fixtures.seattle

    @Test(arguments: Route.Mode.allCases)
    func `streets that pass above each other are the nearest corner to turn at`(
        _ mode: Route.Mode
    ) throws {
        let anchor = try seattle.anchor("15th & Dravus", for: mode)
        #expect(anchor.name == "15th Ave W & W Dravus St")
        // Dravus St crosses above 15th Ave here, and its ramps are a few steps away.
        let crossing = GeoPoint(latitude: 47.648463, longitude: -122.3764)
        #expect(anchor.point.metres(to: crossing) < 60)
        #expect(seattle.roads(of: anchor).contains("W Dravus St"))
        let note = try #require(anchor.note)
        #expect(note.contains("pass above each other without a corner"))
        #expect(try seattle.anchor("Dravus & 15th", for: mode).point == anchor.point)
    }

    @Test func `streets that meet have no note`() throws {
        #expect(try seattle.anchor("15th & Market", for: .car).note == nil)
    }

    @Test func `streets that do not meet are those that come nearest`() throws {
        let error = try #require(throws: PlaceError.self) {
            try seattle.anchor("15th & Alki", for: .car)
        }
        guard case .noCorner(_, let streets, _) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(streets[1].contains("Alki"))
    }

    /// A bridge over a street, with a ramp on one side of it and a corner on the other.
    @Test func `the corner is where a ramp or another street begins`() throws {
        var town = TownBuilder()
        town.road("Low St", [(0, -900), (0, 900)])
        town.road("High Ave", [(-500, 0), (-80, 0), (200, 0), (500, 0)], layer: 1)
        town.road("Elm St", [(200, 0), (200, 500)])
        town.road("", [(-80, 0), (0, -900)], flags: [.link, .noStopping])
        let network = town.network()
        let anchor = try network.anchor("low & high", for: .car)
        #expect(anchor.point.metres(to: TownBuilder.point(-80, 0)) < 1)
        #expect(anchor.note?.hasSuffix("the ramps of High Ave") == true)
        var without = TownBuilder()
        without.road("Low St", [(0, -900), (0, 900)])
        without.road("High Ave", [(-500, 0), (200, 0), (500, 0)], layer: 1)
        without.road("Elm St", [(200, 0), (200, 500)])
        let second = try without.network().anchor("low & high", for: .car)
        #expect(second.point.metres(to: TownBuilder.point(200, 0)) < 1)
        #expect(second.note?.hasSuffix("High Ave & Elm St") == true)
    }
}

@Suite struct StreetAddressTests {
    private let seattle = Fixtures.seattle

    @Test(arguments: [
        ("2250 NW Market St", "NW Market St & 22nd Ave NW", "where the 2200 block begins"),
        ("2250 NW Market St, Seattle, WA 98107", "NW Market St & 22nd Ave NW", "2200"),
        ("6500 15th Ave NW", "15th Ave NW & NW 65th St", "where the 6500 block begins"),
        ("600 Pine St", "Pine St & 6th Ave", "where the 600 block begins"),
        ("8512 Greenwood Ave N #3", "Greenwood Ave N & N 85th St", "8500"),
        // No 23rd Ave NW meets it.
        ("2350 NW Market St", "NW Market St & 22nd Ave NW", "the last numbered street before it"),
    ])
    func `an address is the corner where its block begins, with a note`(
        _ example: (String, String, String)
    ) throws {
        let anchor = try seattle.anchor(example.0, for: .car)
        #expect(anchor.name == example.1)
        let note = try #require(anchor.note)
        #expect(note.contains("no house numbers") && note.contains(example.2), "\(note)")
    }

    @Test(arguments: [
        "1000 4th Ave", "22 NW Market St", "4500 Fauntleroy Way SW", "99999 NW Market St",
    ])
    func `where blocks have no numbered street a corner is asked for`(_ text: String) throws {
        let error = try #require(throws: PlaceError.self) { try seattle.anchor(text, for: .car) }
        guard case .houseNumber(_, let corners) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(!corners.isEmpty && error.description.contains("house numbers are not known"))
        for corner in corners {
            #expect(throws: Never.self) { try seattle.anchor(corner, for: .car) }
        }
    }

    @Test func `an address in no known street asks for the street`() throws {
        #expect(
            throws: PlaceError.unknownStreet(
                "2250 NW Markt St", street: "NW Markt St",
                suggestions: ["NW Market St", "N Market St"])
        ) { try seattle.anchor("2250 NW Markt St", for: .car) }
    }

    @Test(arguments: [
        "15 Ave", "NW Market St", "2250", "0 NW Market St", "123456 NW Market St", "-5 Pine St",
        "12 St",
    ])
    func `other texts are no addresses`(_ text: String) {
        #expect(StreetAddress(text) == nil)
    }
}
