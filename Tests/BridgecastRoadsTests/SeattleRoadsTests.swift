// Seattle's roads and the ways on them, as a driver would notice: speeds, crossings, rush hours, alternatives.
import BridgecastCore
@testable import BridgecastRoads
import BridgecastTestSupport
import Testing

@Suite struct SeattleRoadsTests {
    private let seattle = Fixtures.seattle
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

    @Test func rushHourIsSlowerThanNightAndDriversKnowTheWay() throws {
        let night = try quickest("Ballard", "Downtown", at: Fixtures.moment("2026-02-18T03:00"))
        let rush = try quickest("Ballard", "Downtown", at: Fixtures.moment("2026-02-18T17:15"))
        #expect(rush.minutes > night.minutes * 1.2)
        let toAirport = try quickest(
            "Northgate", "White Center", at: Fixtures.moment("2026-02-18T03:00"))
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
            let path = try quickest("Northgate", "White Center", at: Fixtures.moment(moment))
            #expect((15...45).contains(path.minutes))
        }
    }
}
