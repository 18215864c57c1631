// Seattle's roads and the ways on them, as a driver would notice: speeds, crossings, rush hours, alternatives.
@testable import BridgecastCore
import BridgecastTestSupport
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
}

extension RoadNetwork {
    /// Whether a place lies on a road for the mode.
    fileprivate func isStreet(_ place: Place, _ mode: Route.Mode) -> Bool {
        edges[firstEdge[place.node]..<firstEdge[place.node + 1]].contains {
            classes[$0.roadClass].allows(mode)
        }
    }
}
