// What is said of bridges on the way: the words, at their edges.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Testing

struct BridgeWordsTests {
    private static let now = Fixtures.moment("2026-02-20T17:30")

    private func ahead(
        stopped: Float, bin: Int = 4, waits: BridgeAhead.Evidence? = nil, minutesUp: Double? = nil
    ) -> String {
        var chances = [Float](repeating: 0, count: DelayBins.count)
        (chances[0], chances[bin]) = (1 - stopped, stopped)
        return BridgeAhead(
            bridge: .montlake, arrival: Self.now.adding(minutes: 12), afterStop: 3, metres: 900,
            delay: DelayDistribution(chances), reasons: [], evidence: waits ?? .timetable,
            waitsNow: waits != nil,
            raisedSince: minutesUp.map { Self.now.adding(minutes: -$0) }
        ).text(at: Self.now)
    }

    @Test("A chance is told in hundredths, and never as a certainty")
    func chances() {
        #expect(
            ahead(stopped: 0.08)
                == "Montlake Bridge at 17:42: 8 in 100 to be stopped; if so about 4 min")
        #expect(ahead(stopped: 0.003).contains(": under 1 in 100 to be stopped"))
        #expect(ahead(stopped: 0.999).contains(": over 99 in 100 to be stopped"))
        #expect(ahead(stopped: 0) == "Montlake Bridge at 17:42: not to be stopped")
        #expect(ahead(stopped: 0.5, bin: 1).hasSuffix("if so under a minute"))
    }

    @Test("A bus before a raised bridge is told since when, if anybody knows")
    func waiting() {
        #expect(
            ahead(stopped: 0.9, bin: 2, waits: .vehicle, minutesUp: 3.4)
                == "waits before Montlake Bridge, up for 3 min; about 2 min more")
        #expect(
            ahead(stopped: 0.9, waits: .vehicle, minutesUp: 0.4)
                .hasPrefix("waits before Montlake Bridge, which has just gone up; "))
        #expect(
            ahead(stopped: 0.9, waits: .vehicle)
                .hasPrefix("waits before Montlake Bridge, which is up; "))
    }

    @Test(
        "Small chances are worth no line of their own, unless they may take long or the bus waits")
    func worthALine() {
        func isWorthALine(_ stopped: Float, bin: Int, waits: Bool = false) -> Bool {
            var chances = [Float](repeating: 0, count: DelayBins.count)
            (chances[0], chances[bin]) = (1 - stopped, stopped)
            return BridgeAhead(
                bridge: .montlake, arrival: Self.now, afterStop: 3, metres: 900,
                delay: DelayDistribution(chances), reasons: [], evidence: .timetable,
                waitsNow: waits
            ).isWorthALine
        }
        #expect(isWorthALine(0.031, bin: 4))
        #expect(!isWorthALine(0.029, bin: 4))
        // 45 minutes in 29 of 1,000 cases are more than a minute each.
        #expect(isWorthALine(0.029, bin: 11))
        #expect(!isWorthALine(0.02, bin: 11))
        #expect(isWorthALine(0, bin: 4, waits: true))
    }

    @Test("Of a bus that nobody has seen before the bridge it is said who has it there")
    func unseen() {
        #expect(
            ahead(stopped: 0.9, bin: 2, waits: .timetable, minutesUp: 3.4)
                == "by the timetable now before Montlake Bridge, up for 3 min; about 2 min more")
        #expect(
            ahead(stopped: 0.9, waits: .prediction, minutesUp: 0.4)
                .hasPrefix("by its prediction now before Montlake Bridge, which has just gone up; ")
        )
    }

    @Test("An outlook tells both chances")
    func outlook() {
        let outlook = BridgeOutlookAtStop(
            meanSeconds: 20, p50Seconds: 0, p80Seconds: 0, p90Seconds: 40,
            probabilityDelayed: 0.121,
            probabilityOver3Minutes: 0.004)
        #expect(
            outlook.text
                == "bridges: 12 in 100 to be held up, under 1 in 100 for 3 min and more")
    }
}
