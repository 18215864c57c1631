import BridgecastCore
@testable import BridgecastJourneys
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct LearnedPaceTests {
    private let route = Journey.identity(from: "home", to: "work", mode: .car)

    /// A journey of some minutes on a forecast of 20.
    private func travelled(
        _ id: String, minutes: Double, hoursAgo: Double = 48, stopped: Bool? = false,
        delay: Double? = 0, chance: Double = 0.05
    ) -> Journey {
        var made = journey(
            id, at: testNow.adding(minutes: -60 * hoursAgo), minutes: 20,
            delayMinutes: minutes - 20, wasStopped: stopped, forecast: forecast(stopped: chance))
        made.forecast?.expectedDelaySeconds = delay
        return made
    }

    private func pace(_ journeys: [Journey]) -> LearnedPace {
        LearnedPace(of: journeys, on: route, endedBy: testNow)
    }

    // MARK: Student's t

    /// R 4.5, `qt`; SciPy gives the same.
    @Test(arguments: [
        (0.975, 1, 12.706204736), (0.9, 2, 1.885618083), (0.95, 3, 2.353363435),
        (0.9, 8, 1.396815310), (0.995, 9, 3.249835542), (0.025, 30, -2.042272456),
        (0.5, 7, 0), (0.9, 108, 1.289439464),
    ])
    func quantilesOfStudentsTAreThoseOfTables(probability: Double, degrees: Int, value: Double) {
        #expect(abs(StudentT.quantile(probability, degrees: degrees) - value) < 1e-8)
        #expect(
            abs(StudentT.cumulative(value, degrees: degrees) - probability) < 1e-9)
    }

    // MARK: The posterior

    /// The prior times the likelihood, integrated over a grid of means and variances with numpy.
    @Test func thePredictionIsThatOfAnIntegrationOverMeanAndVariance() {
        let found = LearnedPace(logRatios: [0.12, 0.18, 0.05, 0.22, 0.15])
            .time(mean: 20, spread: (0.45 * 20).squareRoot())
        let reference = [
            (0.05, 16.275188), (0.1, 17.192459), (0.5, 20.634424), (0.9, 24.765537),
            (0.95, 26.161406),
        ]
        for (probability, minutes) in reference {
            #expect(abs(found.quantile(probability) - minutes) < 5e-4, "\(probability)")
        }
        #expect(abs(found.variance - 0.021022811) < 5e-6)
    }

    @Test func withoutJourneysTheForecastStaysAsItWas() {
        let spread = (0.45 * 20).squareRoot()
        let time = LearnedPace.none.time(mean: 20, spread: spread)
        #expect(abs(time.mean - 20) < 1e-12 && abs(time.spread - spread) < 1e-12)
        let route = Route(
            id: "r", name: "r", origin: "a", destination: "b", mode: .car,
            steps: [.travel(Route.Travel(minutes: 8)), .crossing(Fixtures.bridge("Ballard"))])
        #expect(LearnedPace.none.adjusting(route) == route)
        #expect(LearnedPace.none.change(ofMinutes: 20) == 0)
    }

    @Test func manyJourneysOutweighThePriorAndFewDoNot() {
        func change(_ count: Int) -> Double {
            pace((0..<count).map { travelled("j\($0)", minutes: 23) }).change(ofMinutes: 20)
        }
        #expect(change(1) > 0.005 && change(1) < 0.02)
        #expect(change(6) > 0.04 && change(6) < 0.07)
        #expect(change(100) > 0.13 && change(100) < 0.16)
    }

    @Test func aRouteHasTheLearnedMeanAndSpreadAndItsBridges() {
        let learned = pace((0..<40).map { travelled("j\($0)", minutes: 18 + Double($0 % 3)) })
        let before = Route(
            id: "r", name: "r", origin: "a", destination: "b", mode: .car,
            steps: [
                .travel(Route.Travel(minutes: 8)), .crossing(Fixtures.bridge("Ballard")),
                .travel(Route.Travel(minutes: 12)),
            ])
        let after = learned.adjusting(before)
        #expect(after.crossings == before.crossings && after.id == before.id)
        let time = learned.time(mean: 20, spread: (0.45 * 20).squareRoot())
        #expect(abs(after.meanTravelMinutes - time.mean) < 1e-9)
        var variance = 0.0
        for case .travel(let travel) in after.steps {
            variance += travel.spreadMinutes * travel.spreadMinutes
        }
        #expect(abs(variance.squareRoot() - time.spread) < 1e-9)
        // Journeys that vary by less than the network's 3 minutes.
        #expect(time.spread < 2)
        // A gamma of that mean and spread, by Wilson and Hilferty, has the quantiles of Student's t within 2 %.
        let shape = (time.mean / time.spread) * (time.mean / time.spread)
        for (probability, normal) in [(0.5, 0.0), (0.9, 1.281552), (0.95, 1.644854)] {
            let cube = 1 - 1 / (9 * shape) + normal / (3 * shape.squareRoot())
            let gamma = time.mean * cube * cube * cube
            #expect(abs(time.quantile(probability) / gamma - 1) < 0.02)
        }
    }

    // MARK: What counts

    @Test func onlyJourneysThatHadEndedCount() {
        let late = travelled("b", minutes: 30, hoursAgo: 0.25)
        #expect(pace([travelled("a", minutes: 23), late]) == pace([travelled("a", minutes: 23)]))
        let earlier = LearnedPace(
            of: [travelled("a", minutes: 23)], on: route,
            endedBy: testNow.adding(minutes: -60 * 48 + 22))
        #expect(earlier == .none)
        let atItsEnd = LearnedPace(
            of: [travelled("a", minutes: 23)], on: route,
            endedBy: testNow.adding(minutes: -60 * 48 + 23))
        #expect(atItsEnd.journeys == 1)
    }

    @Test func abandonedForeignAndUnforecastJourneysDoNotCount() {
        var abandoned = travelled("a", minutes: 23)
        abandoned.isAbandoned = true
        abandoned.actualArrival = nil
        var foreign = travelled("b", minutes: 23)
        foreign.route = "car/home/gym"
        var unforecast = travelled("c", minutes: 23)
        unforecast.forecast = nil
        #expect(pace([abandoned, foreign, unforecast]) == .none)
    }

    @Test func bridgesAreKeptApartWhereItIsKnownWhetherAJourneyWasStopped() throws {
        // Not stopped: 20 minutes are compared with the 16 on the road, not with 20.
        let free = try #require(
            LearnedPace.logRatio(of: travelled("a", minutes: 20, stopped: false, delay: 240)))
        let half = LearnedPace.networkVariance(minutes: 16) / 2
        #expect(abs(free - log(20.0 / 16) - half) < 1e-12)
        // Unknown: with all of it, unless a stop was likely.
        let unknown = try #require(
            LearnedPace.logRatio(of: travelled("a", minutes: 20, stopped: nil, delay: 240)))
        #expect(abs(unknown - half) < 1e-12)
        #expect(
            LearnedPace.logRatio(of: travelled("a", minutes: 20, stopped: nil, chance: 0.3)) == nil)
        #expect(LearnedPace.logRatio(of: travelled("a", minutes: 20, stopped: true)) == nil)
    }

    @Test func aForgottenStopIsLeftOutEvenIfItIsTheFirst() {
        let late = travelled("x", minutes: 180, hoursAgo: 90)
        #expect(pace([late]).journeys == 0 && pace([late]).outliers == 1)
        let common = (0..<10).map { travelled("j\($0)", minutes: 23) }
        let with = pace(common + [late])
        #expect(with.change(ofMinutes: 20) == pace(common).change(ofMinutes: 20))
        // One who always takes far longer is believed after some journeys.
        let slow = (0..<20).map { travelled("s\($0)", minutes: 50) }
        #expect(pace(slow).journeys == 20 && pace(slow).change(ofMinutes: 20) > 0.6)
    }

    @Test func onlyTheLatestHundredCount() {
        let old = (0..<50).map { travelled("o\($0)", minutes: 26, hoursAgo: 5_000 - Double($0)) }
        let new = (0..<100).map { travelled("n\($0)", minutes: 20, hoursAgo: 1_000 - Double($0)) }
        #expect(pace((old + new).shuffled()) == pace(new))
    }

    // MARK: What it was worth

    @Test func eachForecastIsScoredWithTheJourneysBeforeItAlone() throws {
        let journeys = (0..<30).map {
            travelled("j\($0)", minutes: 23, hoursAgo: 800 - Double($0) * 24)
        }
        let found = try #require(LearnedAccuracy.ofRoutes(journeys, now: testNow).first)
        #expect(found.journeys == 30 && found.route == route)
        #expect(abs(found.forecast.meanAbsoluteErrorMinutes - 3) < 1e-9)
        var errors = 0.0
        for (index, journey) in journeys.enumerated() {
            let before = LearnedPace(logRatios: journeys[..<index].compactMap(LearnedPace.logRatio))
            errors += abs(1380 - before.adjusting(try #require(journey.forecast)).expectedSeconds)
        }
        #expect(abs(found.learned.meanAbsoluteErrorMinutes - errors / 30 / 60) < 1e-9)
        #expect(found.learned.meanAbsoluteErrorMinutes < 1.7)
        // Never longer than the P90 of 25 minutes: 0.1 of the distance below it.
        #expect(found.forecast.p90Coverage == 1)
        #expect(abs(found.forecast.p90LossMinutes - 0.2) < 1e-9)
    }

    @Test func journeysBeforeTheRangeTeachAndAreNotScored() throws {
        let journeys = (0..<30).map {
            travelled("j\($0)", minutes: 23, hoursAgo: 800 - Double($0) * 24)
        }
        let found = try #require(
            LearnedAccuracy.ofRoutes(journeys, from: journeys[29].start, now: testNow).first)
        #expect(found.journeys == 1 && found.pace.journeys == 30)
        #expect(found.learned.meanAbsoluteErrorMinutes < 1)
    }

    @Test func aPersonWhoTravelsAsForecastIsNotMadeWorse() throws {
        var random = SeededGenerator(seed: 4)
        let spread = LearnedPace.networkVariance(minutes: 20).squareRoot()
        func normal() -> Double {
            let one = Double.random(in: 1e-9...1, using: &random)
            let two = Double.random(in: 0...1, using: &random)
            return (-2 * log(one)).squareRoot() * cos(2 * .pi * two)
        }
        let journeys = (0..<500).map { index in
            travelled(
                "j\(index)", minutes: 20 * exp(spread * normal() - spread * spread / 2),
                hoursAgo: 12_100 - Double(index) * 24)
        }
        let found = try #require(LearnedAccuracy.ofRoutes(journeys, now: testNow).first)
        #expect(
            found.learned.meanAbsoluteErrorMinutes
                < 1.02 * found.forecast.meanAbsoluteErrorMinutes)
        #expect(abs(found.change) < 0.03)
    }

    @Test func thePlanOfAJourneyIsAsLearnedAndItsForecastStays() throws {
        var planned = travelled("p", minutes: 20)
        let learned = pace((0..<50).map { travelled("j\($0)", minutes: 23) })
        let forecast = planned.forecast
        planned.plan(by: learned)
        #expect(planned.forecast == forecast)
        let minutes = planned.plannedArrival.minutes(since: planned.start)
        #expect(minutes > 22.2 && minutes < 23.2)
    }
}
