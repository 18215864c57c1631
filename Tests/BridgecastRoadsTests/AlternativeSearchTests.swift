// Second ways over the same crossings: what may be one on Seattle's roads, and what nobody would call a detour.
import BridgecastCore
@testable import BridgecastRoads
import BridgecastTestSupport
import Testing

@Suite struct AlternativeSearchTests {
    private let seattle = Fixtures.seattle

    /// The quickest way between two anchors and the others over its crossings.
    private func ways(
        _ origin: Anchor, _ destination: Anchor, _ mode: Route.Mode, _ leaving: Timestamp
    ) -> (best: Path, others: [Path])? {
        var search = WaySearch(seattle, mode, from: origin, to: destination, leaving: leaving)
        guard let best = search.quickest() else { return nil }
        let others = AlternativeSearch(
            seattle, mode, from: origin, to: destination, leaving: leaving
        ).alternatives(to: best)
        return (best, others)
    }

    private func randomAnchor(_ mode: Route.Mode, _ random: inout SeededGenerator) -> Anchor {
        while true {
            let arc = Int.random(in: 0..<seattle.map.arcs.count, using: &random)
            guard seattle.freeDeciseconds(arc, mode) > 0,
                !seattle.map.arcs[arc].flags.contains(.noStopping)
            else { continue }
            return anchor(arc, Double.random(in: 0...1, using: &random))
        }
    }

    private func anchor(_ arc: Int, _ share: Double) -> Anchor {
        Anchor(
            "somewhere", at: seattle.map.nodes[0].geoPoint, on: seattle,
            spots: [Anchor.Spot(arc: arc, share: share)])
    }

    @Test(arguments: Route.Mode.allCases)
    func secondWaysAreWholeAndNoQuickerThanTheQuickest(_ mode: Route.Mode) {
        var random = SeededGenerator(seed: 21)
        var found = 0
        for _ in 0..<60 {
            let ends = (randomAnchor(mode, &random), randomAnchor(mode, &random))
            let leaving = Fixtures.moment("2026-02-24T00:00").adding(
                minutes: Double.random(in: 0..<1_440, using: &random))
            guard let (best, others) = ways(ends.0, ends.1, mode, leaving) else { continue }
            for path in others {
                found += 1
                #expect(path.crossings == best.crossings)
                #expect(path.pieces.map(\.arc) != best.pieces.map(\.arc))
                // The search promises that there is no quicker one.
                #expect(path.costMinutes > best.costMinutes - 1e-6)
                let arcs = path.pieces.map { seattle.map.arcs[$0.arc] }
                #expect(zip(arcs, arcs.dropFirst()).allSatisfy { $0.head == $1.tail })
                // No junction twice; the way ends before it comes to that of its last piece.
                #expect(Set(arcs.dropLast().map(\.head)).count == arcs.count - 1)
                #expect(path.pieces.first?.arc == ends.0.spots[0].arc)
                #expect(path.pieces.last?.arc == ends.1.spots[0].arc)
                let inner = path.pieces.dropFirst().dropLast()
                #expect(inner.allSatisfy { $0.start == 0 && $0.end == 1 && $0.minutes >= 0 })
            }
            #expect(others.map(\.costMinutes) == others.map(\.costMinutes).sorted())
        }
        #expect(found > 60)
    }

    @Test func noShortPartOfASecondWayIsADetour() {
        // On foot minutes are the same at all hours, and nothing but minutes counts.
        var random = SeededGenerator(seed: 22)
        let leaving = Fixtures.moment("2026-02-24T12:00")
        var looked = 0
        for _ in 0..<25 {
            let ends = (randomAnchor(.walk, &random), randomAnchor(.walk, &random))
            guard let (best, others) = ways(ends.0, ends.1, .walk, leaving) else { continue }
            for path in others.prefix(3) {
                let apart = path.minutes(besides: best)
                let inner = Array(path.pieces.dropFirst().dropLast())
                for first in stride(from: 0, to: inner.count, by: 7) {
                    var (minutes, last) = (0.0, first)
                    while last < inner.count, minutes + inner[last].minutes <= apart / 4 {
                        minutes += inner[last].minutes
                        last += 1
                    }
                    guard last - first > 1 else { continue }
                    let part = inner[first..<last]
                    guard part.allSatisfy({ $0.crossing == nil }) else { continue }
                    var search = WaySearch(
                        seattle, .walk, from: anchor(inner[first].arc, 0),
                        to: anchor(inner[last - 1].arc, 1), leaving: leaving)
                    guard let quickest = search.quickest(), quickest.crossings.isEmpty else {
                        continue
                    }
                    #expect(quickest.minutes > minutes - 1e-6)
                    looked += 1
                }
            }
        }
        #expect(looked > 200)
    }

    @Test func secondWaysTakeAQuarterAndAMinuteLongerAtMost() {
        // On foot a way differs on one leg alone, and minutes are all that counts.
        var random = SeededGenerator(seed: 24)
        var looked = 0
        for _ in 0..<40 {
            let ends = (randomAnchor(.walk, &random), randomAnchor(.walk, &random))
            let leaving = Fixtures.moment("2026-02-24T12:00")
            guard let (best, others) = ways(ends.0, ends.1, .walk, leaving) else { continue }
            for path in others where best.crossings.isEmpty {
                #expect(path.minutes <= best.minutes * 1.25 + 1 + 1e-6)
                looked += 1
            }
        }
        #expect(looked > 20)
    }

    @Test func aCornerBeginsOnTheRoadThatLeavesIt() throws {
        // Both the end of one arc and the beginning of the next: the way begins at the corner, not an arc before it.
        let map = seattle.map
        let arc = try #require(
            map.arcs.indices.first { arc in
                map.arcs[arc].metres > 50 && map.arcs[arc].metres < 150
                    && seattle.freeDeciseconds(arc, .car) > 0
                    && !map.arcs[arc].flags.contains(.noStopping)
                    && map.departing(Int(map.arcs[arc].head)).count > 2
            })
        let spots = [Anchor.Spot(arc: arc, share: 0), Anchor.Spot(arc: arc, share: 1)]
        let corner = Anchor("corner", at: map.nodes[0].geoPoint, on: seattle, spots: spots)
        let far = try seattle.anchor("Georgetown", for: .car)
        let leaving = Fixtures.moment("2026-02-24T12:00")
        var search = WaySearch(seattle, .car, from: corner, to: far, leaving: leaving)
        let found = search.quickest()
        let path = try #require(found)
        #expect(path.pieces.first?.arc != arc)
        var alone = WaySearch(seattle, .car, from: anchor(arc, 1), to: far, leaving: leaving)
        let fromItsEnd = alone.quickest()
        #expect(try #require(fromItsEnd).costMinutes >= path.costMinutes - 1e-9)
    }

    @Test func aWayOnOnePieceOfRoadHasNoSecondOne() throws {
        let arc = try #require(
            seattle.map.arcs.indices.first {
                seattle.map.arcs[$0].metres > 300
                    && !seattle.map.arcs[$0].flags.contains(.noStopping)
                    && seattle.freeDeciseconds($0, .car) > 0
            })
        let (best, others) = try #require(
            ways(anchor(arc, 0.2), anchor(arc, 0.7), .car, Fixtures.moment("2026-02-24T12:00")))
        #expect(best.pieces.count == 1 && others.isEmpty)
    }

    @Test func aStandingClockHasThePacesOfItsMoment() {
        let clock = TripClock(Fixtures.moment("2026-02-24T12:00"), seattle.paces)
        let evening = 17.6 * 3_600
        let still = TripClock(standingAt: evening, of: clock)
        for group in PaceGroup.allCases {
            let there = clock.arrival(1, group, at: evening) - evening
            // As long as its quarter of an hour lasts, which is for another nine minutes.
            #expect(abs(still.arrival(1, group, at: 0) - there) < 1e-9)
            #expect(abs(still.arrival(60_000, group, at: 0) - 60_000 * there) < 1e-4)
        }
    }
}
