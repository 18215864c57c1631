// Places by name, what is said of names that are none, and what a text becomes while it is typed.
import BridgecastCore
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

    @Test func mistypedNamesGetASuggestionAndVagueOnesAChoice() {
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

    @Test func aPartOfANameMeansOnePlaceOrIsAskedBack() throws {
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
        #expect(choices("Mercer") == ["Mercer Island", "Mercer St & Rainier Ave S"])
        #expect(choices("lake") == ["Lake City", "Green Lake"])
        // One place and nothing else.
        for (text, name) in [
            ("Rainier Bea", "Rainier Beach"), ("troll", "Fremont"), ("lake ci", "Lake City"),
            ("gree", "Green Lake"), ("ROOSEVELT", "Roosevelt"), ("roos", "Roosevelt"),
        ] { #expect(try town.place(named: text).name == name) }
    }

    @Test func completionsBeginWithTheLargestPlacesAndEndWithStops() {
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

    @Test func noTextAndNoPointIsTooMuch() {
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
