// The tide against another program's, and against what everybody knows of tides.
import BridgecastCore
import Testing

struct TideTests {
    /// Heights that UTide 0.3 gives for the same eight constituents of station 9447130, metres above mean sea level.
    @Test(arguments: [
        (1_509_851_820, -0.086), (1_521_064_800, 0.692), (1_672_158_600, 1.902),
        (1_740_044_700, 0.233), (1_769_904_000, 1.012), (1_771_619_400, -1.273),
        (1_909_396_800, 0.414),
    ])
    func `heights are those of another program`(seconds: Int, metres: Double) {
        let height = Tide.heightMetres(at: Timestamp(secondsSinceEpoch: Int64(seconds)))
        #expect(abs(height - metres) < 0.04)
    }

    @Test func `two high waters a lunar day, and the rise is the slope of the height`() {
        let start = Timestamp(secondsSinceEpoch: 1_767_225_600)
        var highWaters: [Double] = []
        for minute in stride(from: 0.0, to: 60 * 1440, by: 5) {
            let moment = start.adding(minutes: minute)
            let here = Tide.heightMetres(at: moment)
            let (before, after) = (
                Tide.heightMetres(at: moment.adding(minutes: -5)),
                Tide.heightMetres(at: moment.adding(minutes: 5))
            )
            #expect(abs(here) < 3.5)
            #expect(abs((after - before) * 6 - Tide.riseMetresPerHour(at: moment)) < 0.06)
            let hour =
                Tide.heightMetres(at: moment.adding(minutes: 30))
                - Tide.heightMetres(at: moment.adding(minutes: -30))
            #expect(abs(hour - Tide.riseMetresPerHour(at: moment)) < 2e-5)
            if here >= before, here > after { highWaters.append(minute / 60) }
        }
        let gaps = zip(highWaters.dropFirst(), highWaters).map { $0 - $1 }
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        #expect(abs(mean - 12.42) < 0.15, "high waters \(mean) h apart")
    }
}
