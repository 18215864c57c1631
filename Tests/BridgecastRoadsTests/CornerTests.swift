// Street corners: what people type leads to where two streets meet.
import BridgecastCore
import Testing

@testable import BridgecastRoads

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
        // A street whose directions lie 20 m apart.
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
        // A place is meant only where it is said.
        #expect(try town.anchor("15th nw & 58th", for: .car).name == "15th Ave NW & NW 58th St")
        #expect(try town.anchor("15th nw & 58th pl", for: .car).name.hasSuffix("NW 58th Pl"))
    }

    @Test func streetsThatMeetTwiceAreToldApartByCoordinatesThatCanBeTyped() throws {
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

    @Test func saintsAreNoStreetsAndNamesWithoutKindsAreFound() throws {
        let name = "Broadway & Mount Saint Helens Pl S"
        #expect(try town.anchor("broadway & mt st helens", for: .walk).name == name)
        #expect(try town.anchor("Broadway & Mount St. Helens Place South", for: .walk).name == name)
    }

    @Test func whatIsWrongWithACornerIsSaid() throws {
        #expect(
            throws: PlaceError.noCorner(
                "Broadway & Market", streets: ["Broadway", "NW Market St"],
                suggestions: [
                    "Broadway & Mount Saint Helens Pl S", "NW Market St & 8th Avenue Northwest",
                ])
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

    @Test func rampsAreNoStreets() {
        #expect(
            throws: PlaceError.unknownStreet("15th & Pine St", street: "Pine St", suggestions: [])
        ) {
            try town.anchor("15th & Pine St", for: .car)
        }
        #expect(town.completions(of: "15th & broadway", limit: 5).isEmpty)
    }

    @Test func aWordSuchAsAndInANameIsNoCorner() throws {
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
