// What `bridgecast bench --tune` concludes from measurements, without measuring.
import BridgecastBench
@testable import BridgecastCLI
import BridgecastEngine
import Testing

@Suite struct PathTuningTests {
    private let machine = Machine()

    private func gains(
        _ network: String, _ gains: [(Int, Double)], _ format: WeightFormat = .fp32,
        isOfLists: Bool = false
    ) -> [PathGain] {
        gains.map {
            PathGain(
                network: network, format: format, isOfLists: isOfLists, batch: $0.0, gain: $0.1)
        }
    }

    private func rows(_ measured: [PathGain]) -> Int {
        PathTuning.table(measured, on: machine).fp32.rows
    }

    @Test func openBLASNeedsTheMarginAtEveryLargerBatch() {
        let never = PathTable.Crossover.never
        #expect(rows(gains("A", [(1, 0.5), (2, 1.05), (4, 1.2), (8, 3)])) == 2)
        #expect(rows(gains("A", [(8, 3), (4, 1.2), (2, 1.05), (1, 0.5)])) == 2)
        #expect(rows(gains("A", [(1, 2), (2, 1.04), (4, 1.2), (8, 3)])) == 4)
        #expect(rows(gains("A", [(1, 2), (2, 2)])) == 1)
        #expect(rows(gains("A", [(1, 2), (2, 2), (4, 1.04)])) == never)
        #expect(rows([]) == never)
    }

    @Test func theNetworkThatGainsLeastDecides() {
        let both =
            gains("A", [(1, 2), (2, 2), (4, 2)]) + gains("B", [(1, 0.5), (2, 1), (4, 1.1)])
        #expect(rows(both) == 4)
    }

    @Test func formatsAndListsAreDecidedApart() {
        let table = PathTuning.table(
            gains("A", [(1, 2)]) + gains("A", [(1, 0.5), (2, 2)], .int8)
                + gains("shipped", [(1, 0.5), (2, 0.5), (4, 2)], isOfLists: true), on: machine)
        #expect(table.fp32 == PathTable.Crossover(rows: 1, lists: 4))
        #expect(table.int8 == PathTable.Crossover(rows: 2))
        #expect(table.fp16 == PathTable.Crossover())
        #expect(table.instructionSet == .preferred && table.cpu == machine.familyAndModel)
    }

    @Test func theReportShowsRatiosAndWhatFollows() {
        let measured = gains("A", [(1, 0.5), (2, 1.25)])
        let report = PathTuningReport(
            machine: machine, gains: measured, table: PathTuning.table(measured, on: machine))
        let lines = report.text().split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(lines.contains(["format", "network", "1", "2"]))
        #expect(lines.contains(["fp32", "A", "0.50", "1.25"]))
        #expect(lines.contains(["fp32", "2", "never"]))
        #expect(lines.contains(["int8", "never", "never"]))
    }
}
