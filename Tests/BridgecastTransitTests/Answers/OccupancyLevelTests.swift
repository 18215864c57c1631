// Words and colours for how full a vehicle is, for every number of the specification and for none.
import BridgecastTransit
import BridgecastTransitAnswers
import Testing

@Suite struct OccupancyLevelTests {
    @Test("Each number has its words and its colour; none is no data, never empty")
    func words() {
        let expected: [(String, String?)] = [
            ("Low", "green"), ("Low", "green"), ("Moderate", "yellow"), ("High", "orange"),
            ("High", "orange"), ("Very crowded", "red"), ("Very crowded", "red"), ("no data", nil),
            ("not boardable", nil),
        ]
        for (number, words) in expected.enumerated() {
            let level = OccupancyLevel(Occupancy(rawValue: number))
            #expect(level.words == words.0 && level.colourName == words.1, "\(number)")
        }
        #expect(OccupancyLevel(nil).words == "no data")
    }
}
