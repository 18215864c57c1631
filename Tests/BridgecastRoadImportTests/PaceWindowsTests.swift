// Which ways count as never slower than others: those that are not at any departure.
import BridgecastCore
@testable import BridgecastRoadImport
@testable import BridgecastRoads
import Testing

@Suite struct PaceWindowsTests {
    /// Stretches of a way in order.
    private typealias Way = [(group: PaceGroup, deciseconds: Double)]

    private func weights(_ way: Way) -> SIMD8<Float> {
        way.reduce(into: SIMD8()) { $0[Int($1.group.rawValue)] += Float($1.deciseconds) }
    }

    private func way(_ groups: [PaceGroup], upTo longest: Double, with dice: inout Dice) -> Way {
        (0..<Int.random(in: 1...5, using: &dice)).map { _ in
            (
                groups.randomElement(using: &dice) ?? .local,
                Double.random(in: 1...longest, using: &dice).rounded()
            )
        }
    }

    private func arrival(_ way: Way, _ clock: TripClock) -> Double {
        way.reduce(clock.departure) { clock.arrival($1.deciseconds, $1.group, at: $0) }
    }

    /// A moment of a Friday or a Saturday, mostly shortly before pace changes.
    private func moment(with dice: inout Dice) -> Timestamp {
        let quarter = Int64.random(in: 1...192, using: &dice)
        let before = Int64.random(in: 0...900, using: &dice)
        return Timestamp(secondsSinceEpoch: 1_790_319_600 + quarter * 900 - before)
    }

    @Test(arguments: [Float(0.005), 0.03, 0.3], [200.0, 3_000, 20_000])
    func whatIsNeverSlowerIsNotSlowerAtAnyDeparture(wildness: Float, longest: Double) {
        var dice = Dice(UInt64(wildness * 1_000) + UInt64(longest))
        var (agreed, slower) = (0, 0)
        for _ in 0..<8 {
            let paces = RandomRoads.paces(wildness, with: &dice)
            var windows = PaceWindows(paces)
            let clocks = (0..<40).map { _ in TripClock(moment(with: &dice), paces) }
            for _ in 0..<200 {
                let groups = Array(PaceGroup.allCases.shuffled(using: &dice).prefix(3))
                let way = way(groups, upTo: longest, with: &dice)
                let other =
                    Bool.random(using: &dice)
                    ? self.way(groups, upTo: longest * 2, with: &dice)
                    : way.map { ($0.group, ($0.deciseconds * 1.2).rounded()) }.shuffled(
                        using: &dice)
                guard windows.isNeverSlower(weights(way), than: weights(other)) else { continue }
                agreed += 1
                for clock in clocks {
                    slower += arrival(way, clock) > arrival(other, clock) + 1e-6 ? 1 : 0
                }
            }
        }
        #expect(slower == 0)
        #expect(agreed > 50)
    }

    private func isNeverSlower(_ way: Way, than other: Way, _ paces: PaceTable) -> Bool {
        var windows = PaceWindows(paces)
        return windows.isNeverSlower(weights(way), than: weights(other))
    }

    @Test func aWayOverOneKindOfRoadIsNeverSlowerThanOneWithMoreOfIt() {
        var dice = Dice(3)
        let paces = RandomRoads.paces(0.5, with: &dice)
        let way: Way = [(.local, 600)]
        let longer: Way = [(.arterialAcross, 10), (.local, 600)]
        #expect(isNeverSlower(way, than: longer, paces))
        #expect(!isNeverSlower(longer, than: way, paces))
        #expect(!isNeverSlower(way, than: [(.local, 599)], paces))
    }

    @Test func oneSlowQuarterOfTheDayIsEnoughToSayNo() {
        var rows = [SIMD8<Float>](repeating: SIMD8(repeating: 1), count: 2 * PaceTable.slotsPerDay)
        let (way, other): (Way, Way) = ([(.freewayInbound, 900)], [(.local, 1_000)])
        #expect(isNeverSlower(way, than: other, PaceTable(rows: rows)))
        rows[131][Int(PaceGroup.freewayInbound.rawValue)] = 1.2
        #expect(!isNeverSlower(way, than: other, PaceTable(rows: rows)))
    }
}
