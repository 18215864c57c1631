// Random values for the public calls: typed errors or finite answers, and no end of the process but where the
// documentation names a precondition.
import Bridgecast
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct PublicSurfaceFuzzTests {
    private static let model: LoadedModel = {
        do {
            return try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    @Test(arguments: 0..<8) func randomForecastsAndRankingsEndInAnswersOrErrors(
        _ seed: UInt64
    ) async throws {
        var values = NastyValues(seed: seed)
        let inference = TrafficInference(Self.model, options: values.options())
        var answers = 0
        for _ in 0..<500 {
            let situation = values.situation()
            do {
                let requests = values.requests()
                let delays = try await inference.forecast(requests, in: situation)
                #expect(delays.allSatisfy { $0.expectedSeconds.isFinite })
                answers += delays.count
            } catch {
                expectWords(error)
            }
            do {
                let routes = values.routes()
                let ranking = try await inference.rank(
                    routes, leaving: values.moment(near: situation),
                    arriveBy: values.maybe { $0.moment(near: situation) }, in: situation,
                    traffic: values.traffic(), weights: values.weights())
                expectFinite(ranking)
                answers += ranking.count
                let copy = try JSONDecoder().decode(
                    RouteRanking.self, from: JSONEncoder().encode(ranking))
                #expect(copy == ranking)
            } catch let error as RankingError {
                expectWords(error)
            }
        }
        #expect(answers > 100, "almost everything was refused")
    }

    @Test(arguments: 0..<4) func randomTablesAndCurvesEndInAnswersOrErrors(
        _ seed: UInt64
    ) async throws {
        var values = NastyValues(seed: 100 + seed)
        let inference = TrafficInference(Self.model)
        var answers = 0
        for _ in 0..<150 {
            let situation = values.situation()
            do {
                let table = try await inference.table(
                    in: situation, reaching: values.minutes(), traffic: values.traffic(),
                    modes: Set(values.list { $0.mode() }))
                answers += 1
                for _ in 0..<20 {
                    do throws(ForecastTableError) {
                        let delay = try table.delay(
                            at: values.bridge(), leadMinutes: values.minutes(),
                            mode: values.mode())
                        #expect(delay.expectedSeconds.isFinite)
                    } catch {
                        expectWords(error)
                    }
                }
                do throws(RankingError) {
                    expectFinite(
                        try table.rank(values.routes(), leaving: values.moment(near: situation)))
                } catch {
                    expectWords(error)
                }
            } catch let error as InferenceError {
                expectWords(error)
            }
            do {
                let window = DepartureWindow(
                    from: values.moment(near: situation), until: values.moment(near: situation),
                    arriveBy: values.maybe { $0.moment(near: situation) },
                    confidence: values.number())
                let curve = try await inference.departures(
                    of: values.routes(), window, in: situation)
                for point in curve.points { expectFinite(point) }
            } catch let error as RankingError {
                expectWords(error)
            }
        }
        #expect(answers > 10)
    }

    @Test func randomValuesOfTimeAndPlaceHaveAnAnswer() {
        var values = NastyValues(seed: 7)
        for _ in 0..<20_000 {
            let moment = Timestamp(secondsSinceEpoch: values.seconds())
            let civil = SeattleTime.civil(at: moment.adding(minutes: values.number()))
            _ = (
                SeattleTime.resolve(civil), SeattleTime.startOfDay(civil.date), DayType(civil.date)
            )
            _ = (TimeText.rfc3339(moment), TimeText.clock(moment), Timestamp(moment.date))
            _ = civil.date.adding(days: Int(values.seconds())).description
            _ = moment.minutes(since: Timestamp(secondsSinceEpoch: values.seconds())).isFinite
            let bridge = values.bridge()
            let delay = DelayDistribution(Array(repeating: 0.1, count: DelayBins.count))
                .mixed(with: .none, weight: values.number())
            #expect(!delay.quantileSeconds(values.number()).isNaN)
            #expect((0...1).contains(delay.cumulative(atSeconds: values.number())))
            _ = BridgeCatalogue[bridge].rules.status(at: civil)
            _ = TrafficProfile.density(of: bridge, at: moment)
            let line = values.list { $0.point() }
            _ = BridgeDeck.crossings(of: line)
            _ = SeattleArea.contains(values.point())
            do throws(PlaceError) {
                _ = try Fixtures.seattle.anchor(values.point(), for: values.mode())
            } catch {
                expectWords(error)
            }
            #expect(
                (0...1).contains(
                    Self.model.climatology.probabilityOutlasts(
                        bridge, total: values.number(), elapsed: values.number())))
        }
    }

    private func expectFinite(_ ranking: RouteRanking) {
        for score in ranking {
            for criterion in RouteCriterion.allCases {
                #expect(score.figures[criterion].isFinite && score.figures[criterion] >= 0)
            }
            #expect(score.score.isFinite)
        }
        #expect(ranking.map(\.score) == ranking.map(\.score).sorted())
    }

    private func expectWords(_ error: any Error) {
        #expect("\(error)".contains(" ") && !"\(error)".contains("Error"), "\(error)")
    }
}
