// Route scoring against simulation of the same model, and what a ranking must do.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RouteScoringTests {
    private static let issueTime = Fixtures.moment("2026-02-20T12:00")
    private let ballard = Fixtures.bridge("Ballard")
    private let fremont = Fixtures.bridge("Fremont")

    /// Delays that differ by bridge and grow with the lead.
    private static let table: ForecastTable = {
        let leads = ForecastTable.leads(upTo: 120)
        let rows = BridgeIndex.all.map { bridge in
            leads.map { lead in
                let chance = Float(0.05 + 0.03 * Double(bridge.rawValue) + lead / 400)
                let parts: [Float] = [2, 3, 4, 5, 4, 3, 3, 2, 1, 0.5, 0.1]
                let sum = parts.reduce(0, +)
                return DelayDistribution([1 - chance] + parts.map { $0 / sum * chance })
            }
        }
        let free = rows.map { $0.map { $0.mixed(with: .none, weight: 0.5) } }
        return ForecastTable(leadsMinutes: leads, distributions: [rows, free])
    }()

    private func scoring(_ weights: RouteWeights = .standard) -> RouteScoring {
        RouteScoring(
            forecasts: Self.table, climatology: RandomModel.climatology, issueTime: Self.issueTime,
            weights: weights)
    }

    private func route(_ id: String, _ steps: [Route.Step], mode: Route.Mode = .car) -> Route {
        Route(id: id, name: id, origin: "a", destination: "b", mode: mode, steps: steps)
    }

    private func travel(_ mean: Double, _ spread: Double) -> Route.Step {
        .travel(Route.Travel(meanMinutes: mean, spreadMinutes: spread))
    }

    @Test(arguments: [(10.0, 2.0), (3, 1), (0, 0), (7.1, 0), (45, 9), (2, 2), (0.3, 0.1)])
    func aStretchKeepsItsMeanAndSpread(_ example: (Double, Double)) {
        let (mean, spread) = example
        let time = TimeDistribution(Route.Travel(meanMinutes: mean, spreadMinutes: spread))
        #expect(abs(time.meanSeconds - mean * 60) < 1)
        let variance = time.probabilities.enumerated().reduce(0.0) { sum, cell in
            sum + cell.element * pow(time.seconds(ofCell: cell.offset) - time.meanSeconds, 2)
        }
        #expect(abs(variance.squareRoot() - spread * 60) < 8 + 0.03 * spread * 60)
    }

    @Test func agreesWithAMillionSimulatedTrips() throws {
        let route = route(
            "two bridges",
            [travel(6, 1.5), .crossing(ballard), travel(9, 2), .crossing(fremont), travel(4, 1)])
        let score = scoring().score(route, leaving: Self.issueTime.adding(minutes: 5))
        var generator = SystemRandomNumberGenerator()
        var trips: [Double] = []
        var stopped = 0
        let count = 400_000
        for _ in 0..<count {
            var time = 0.0
            var wasStopped = false
            for step in route.steps {
                switch step {
                case .travel(let travel):
                    time += Self.gamma(travel.meanMinutes, travel.spreadMinutes, &generator) * 60
                case .crossing(let bridge):
                    let delay = Self.table.delay(
                        at: bridge, leadMinutes: 5 + time / 60, queues: true)
                    let wait = delay.quantileSeconds(Double.random(in: 0..<1, using: &generator))
                    if wait > 0 { wasStopped = true }
                    time += wait
                }
            }
            trips.append(time)
            if wasStopped { stopped += 1 }
        }
        trips.sort()
        let mean = trips.reduce(0, +) / Double(count)
        #expect(abs(score.travelTime.meanSeconds - mean) < 3)
        for level in [0.1, 0.5, 0.9, 0.95] {
            let simulated = trips[Int(level * Double(count))]
            #expect(abs(score.travelTime.quantileSeconds(level) - simulated) < 8, "P\(level)")
        }
        #expect(abs(score.probabilityStopped - Double(stopped) / Double(count)) < 0.004)
        let free = trips.count { $0 > 0 }
        #expect(free == count)
        let delays = mean - route.meanTravelMinutes * 60
        #expect(abs(score.expectedDelaySeconds - delays) < 3)
    }

    @Test func crossingsAreLookedUpWhenTheEarlierLegsArrive() throws {
        let route = route("late", [travel(30, 1), .crossing(fremont)])
        let crossing = try #require(
            scoring().score(route, leaving: Self.issueTime.adding(minutes: 10)).crossings.first)
        #expect(abs(crossing.leadMinutes - 40) < 0.1)
        #expect(crossing.arrival == Self.issueTime.adding(minutes: crossing.leadMinutes))
        let expected = Self.table.delay(at: fremont, leadMinutes: 40, queues: true)
        #expect(abs(crossing.probabilityDelayed - expected.probabilityDelayed) < 0.001)
    }

    @Test func stretchesInARowAreOne() {
        let parts = scoring().score(
            route("parts", [travel(4, 0.9), travel(6, 1.2), .crossing(fremont)]),
            leaving: Self.issueTime)
        let whole = scoring().score(
            route("whole", [travel(10, 1.5), .crossing(fremont)]), leaving: Self.issueTime)
        #expect(abs(parts.travelTime.meanSeconds - whole.travelTime.meanSeconds) < 1e-6)
        #expect(parts.criteria[.p90Minutes] == whole.criteria[.p90Minutes])
    }

    @Test func bikesDoNotQueue() {
        let steps = [travel(5, 1), .crossing(ballard)]
        let car = scoring().score(route("car", steps), leaving: Self.issueTime)
        let bike = scoring().score(route("bike", steps, mode: .bike), leaving: Self.issueTime)
        #expect(abs(bike.probabilityStopped - car.probabilityStopped / 2) < 1e-9)
    }

    @Test func theOrderFollowsTheWeights() {
        let quick = route("quick but risky", [travel(10, 1), .crossing(fremont)])
        let safe = route("slow but safe", [travel(11.5, 1)])
        let byTime = scoring(RouteWeights([.expectedMinutes: 1]))
            .rank([safe, quick], leaving: Self.issueTime)
        #expect(byTime.map(\.route.id) == ["quick but risky", "slow but safe"])
        let byRisk = scoring(RouteWeights([.probabilityStopped: 1]))
            .rank([quick, safe], leaving: Self.issueTime)
        #expect(byRisk.map(\.route.id) == ["slow but safe", "quick but risky"])
        let byOpenings = scoring(RouteWeights([.openingsPerDay: 1]))
            .rank([quick, safe], leaving: Self.issueTime)
        #expect(byOpenings.first?.route.id == "slow but safe")
    }

    @Test func theTableInterpolatesBetweenLeads() {
        let at = { (lead: Double) in
            Self.table.delay(at: fremont, leadMinutes: lead, queues: true).probabilityDelayed
        }
        #expect(abs(at(12.5) - (at(10) + at(15)) / 2) < 1e-9)
        #expect(at(10_000) == at(120))
    }

    /// Marsaglia and Tsang's method.
    private static func gamma(
        _ mean: Double, _ spread: Double, _ generator: inout SystemRandomNumberGenerator
    ) -> Double {
        let shape = (mean / spread) * (mean / spread)
        let d = shape - 1.0 / 3
        let c = 1 / (9 * d).squareRoot()
        while true {
            let u1 = Double.random(in: Double.ulpOfOne..<1, using: &generator)
            let u2 = Double.random(in: 0..<1, using: &generator)
            let x = (-2 * log(u1)).squareRoot() * cos(2 * .pi * u2)
            let v = pow(1 + c * x, 3)
            guard v > 0 else { continue }
            let u = Double.random(in: Double.ulpOfOne..<1, using: &generator)
            if log(u) < 0.5 * x * x + d - d * v + d * log(v) { return d * v * mean / shape }
        }
    }
}

@Suite struct ConfidenceTests {
    private let issueTime = Fixtures.moment("2026-02-20T12:00")

    private func confidence(
        _ name: String, lead: Double, known: Bool, newest: String? = "2026-02-20T12:00"
    ) -> Confidence {
        let situation =
            known
            ? SituationReader(Fixtures.shippedHistory).situation(at: issueTime)
            : .unknown(at: issueTime)
        return Confidence(
            Fixtures.bridge(name), leadMinutes: lead, in: situation,
            climatology: RandomModel.climatology, newestRecord: newest.map(Fixtures.moment))
    }

    @Test func followsTheStatedRule() {
        #expect(confidence("Fremont", lead: 20, known: true) == .high)
        #expect(confidence("Fremont", lead: 21, known: true) == .medium)
        #expect(confidence("Fremont", lead: 5, known: false) == .medium)
        #expect(confidence("Fremont", lead: 5, known: true, newest: nil) == .low)
        #expect(
            confidence("Lower Spokane St", lead: 5, known: true, newest: "2018-03-27T00:00") == .low
        )
        #expect(Confidence.low < .medium && Confidence.medium < .high)
    }
}

@Suite struct ForecastReasonTests {
    @Test func saysWhichBoatIsOnItsWayAndWhichRuleHolds() throws {
        let issueTime = Fixtures.moment("2026-02-20T12:20")
        let day = Fixtures.moment("2026-02-20T00:00")..<Fixtures.moment("2026-02-21T00:00")
        let history = OpeningHistory(
            records: [Fixtures.opening("Ballard", "2026-02-20T12:08", "2026-02-20T12:13")],
            coverage: Coverage(periods: BridgeIndex.all.map { _ in [day] }))
        let reasons = ForecastReason(
            situation: SituationReader(history).situation(at: issueTime),
            climatology: RandomModel.climatology)
        #expect(
            reasons.phrases(
                for: Fixtures.bridge("Fremont"), arrival: issueTime.adding(minutes: 3))
                == ["Ballard went up 12 min ago; boats usually reach Fremont in 9 to 20"])
        #expect(
            reasons.phrases(
                for: Fixtures.bridge("1st Ave South"),
                arrival: Fixtures.moment("2026-02-20T15:30")) == [
                    "closed to smaller boats until 18:00"
                ])
        for bridge in BridgeIndex.all {
            #expect(!reasons.phrases(for: bridge, arrival: issueTime).isEmpty)
        }
    }
}
