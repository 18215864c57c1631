// What is learned of lateness: by route and hour, of bounded size, and never from too little.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite("Learned lateness")
struct LatenessTableTests {
    private let route = RouteIndex(3)

    @Test("there is no typical lateness before five observations")
    func tooFew() {
        var table = LatenessTable()
        for _ in 0..<4 { table.learn(lateness: 100, of: route, hour: 17) }
        #expect(table.typical(route, hour: 17) == nil)
        table.learn(lateness: 100, of: route, hour: 17)
        #expect(table.typical(route, hour: 17)?.meanSeconds == 100)
        #expect(table.typical(route, hour: 18) == nil)
        #expect(table.typical(RouteIndex(4), hour: 17) == nil)
    }

    @Test("mean and spread are those of the observations")
    func meanAndSpread() throws {
        var table = LatenessTable()
        let numbers = (0..<200).map { Double($0 * 37 % 101) }
        for number in numbers { table.learn(lateness: number, of: route, hour: 25) }
        let mean = numbers.reduce(0, +) / 200
        let variance = numbers.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / 200
        let usual = try #require(table.typical(route, hour: 1))
        #expect(abs(usual.meanSeconds - mean) < 1e-9)
        #expect(abs(usual.spreadSeconds - variance.squareRoot()) < 1e-9)
        #expect(usual.observations == 200)
    }

    @Test("old observations fade")
    func fading() throws {
        var table = LatenessTable()
        for _ in 0..<3000 { table.learn(lateness: 600, of: route, hour: 8) }
        for _ in 0..<3000 { table.learn(lateness: 60, of: route, hour: 8) }
        let usual = try #require(table.typical(route, hour: 8))
        #expect(usual.meanSeconds < 65 && usual.spreadSeconds < 60)
    }

    @Test("routes and hours beyond the limit are ignored")
    func bounded() {
        var table = LatenessTable()
        func learn(_ place: Int) {
            for _ in 0..<5 {
                table.learn(lateness: 60, of: RouteIndex(place / 24), hour: place % 24)
            }
        }
        func observations(_ place: Int) -> Int? {
            table.typical(RouteIndex(place / 24), hour: place % 24)?.observations
        }
        for place in 0...LatenessTable.maxCells { learn(place) }
        learn(7)
        #expect(observations(LatenessTable.maxCells - 1) == 5)
        #expect(observations(LatenessTable.maxCells) == nil)
        #expect(observations(7) == 10)
    }

    @Test("the spread grows with the lead time, and is learned")
    func spread() {
        var table = LatenessTable()
        #expect(abs(table.change(in: 60, of: route, hour: 8).spread - 36) < 1e-9)
        #expect(abs(table.change(in: 1200, of: route, hour: 8).spread - 150) < 1e-9)
        for turn in 0..<2000 {
            table.learn(change: turn % 2 == 0 ? 70 : 30, in: 700, of: route, hour: 8)
        }
        let known = table.change(in: 700, of: route, hour: 8)
        #expect(abs(known.mean - 50) < 3)
        #expect(abs(known.spread - 20) < 3)
        // Another route has a little of it, another stretch nothing.
        let other = table.change(in: 700, of: RouteIndex(9), hour: 8)
        #expect(other.spread < 40)
        #expect(table.change(in: 60, of: route, hour: 8).mean == 0)
    }

    @Test("scores are means of errors")
    func score() {
        var score = PredictionScore()
        #expect(score.meanAbsoluteSeconds == nil)
        for error in [30.0, -10, .nan, 20] { score.add(errorSeconds: error) }
        #expect(score.count == 3)
        #expect(score.meanAbsoluteSeconds == 20)
        #expect(score.meanSeconds.map { abs($0 - 40 / 3.0) < 1e-9 } == true)
    }
}
