// The tables of `evaluate --leave-out`, from made-up scores: a fit for each bridge takes minutes.
@testable import BridgecastCLI
import BridgecastTraining
import Foundation
import Testing

@Suite struct ColdStartTextTests {
    private static let bridge = """
        {"bridge": "Fremont", "rows": 4608, "blockedRate": 0.05, "meanForecast": 0.12,
         "skillOverOwnRate": {"value": 0.25, "low": 0.1, "high": 0.4},
         "skillOverOwnRateByLead": {"2": 0.5}, "skillOverOwnClimatology": -0.125,
         "confidence": "LOW", "stages": [
          {"fromDay": 0, "toDay": 1, "days": 1, "rows": 2304, "blockedRate": 0.04,
           "meanForecast": 0.11, "skillOverOwnRate": {"value": 0.2, "low": 0.2, "high": 0.2}},
          {"fromDay": 3, "toDay": 7, "days": 4, "rows": 9216, "blockedRate": 0.06,
           "meanForecast": 0.07, "skillOverOwnRate": {"value": 0.3, "low": 0.15, "high": 0.45}},
          {"fromDay": 14, "days": 9, "rows": 20736, "blockedRate": 0.08,
           "meanForecast": 0.09, "skillOverOwnRate": {"value": 0.35, "low": 0.3, "high": 0.375}}]}
        """

    /// The lines of a text with single blanks.
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.split(separator: " ").joined(separator: " ")
        }
    }

    @Test func aBridgeHasALineAndEachOfItsStagesWithAnIntervalWhereThereAreDaysForOne() throws {
        let bridge = try JSONDecoder().decode(ColdBridge.self, from: Data(Self.bridge.utf8))
        let alone = lines(ColdStartText.text([bridge], together: [], ["2", "30"]))
        // There is nothing at 30 minutes.
        #expect(alone.contains("Fremont 5.0 % 12 % 0.250 0.100 .. 0.400 0.500 - -0.125 LOW"))
        // A day has no interval; four have.
        #expect(alone.contains("Fremont 0 to 1 4.0 % 11 % 0.200 -"))
        #expect(alone.contains("Fremont 3 to 7 6.0 % 7.0 % 0.300 0.150 .. 0.450"))
        // The last goes on to the end of the period.
        #expect(alone.last == "Fremont 14 on 8.0 % 9.0 % 0.350 0.300 .. 0.375")
        #expect(!alone.contains { $0.hasPrefix("all ") })
        let together = lines(
            ColdStartText.text([bridge], together: [bridge.stages[1]], ["2", "30"]))
        #expect(together.last == "all 3 to 7 6.0 % 7.0 % 0.300 0.150 .. 0.450")
    }
}
