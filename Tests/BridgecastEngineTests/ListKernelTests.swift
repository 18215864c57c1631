// The first layer on lists of inputs against the same rows written out: int8 to the last bit, on every instruction set.
import BridgecastCore
@testable import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct ListKernelTests {
    /// Widths around quads, blocks of 64 outputs and pairs of them; one to three layers.
    static let shapes = [
        [1, 1], [3, 12], [40, 16, 12], [70, 63, 5], [130, 64, 12], [50, 65, 33, 12],
        [300, 129, 20, 12], [90, 256, 128, 12], [25, 300],
    ]

    /// Rows of random lists, of which some share up to two lists with others.
    static func rows(_ count: Int, width: Int, seed: UInt64) -> SparseRows {
        var random = SeededGenerator(seed: seed)
        func list(_ inputs: Range<Int>, _ list: inout RowWriter, among one: Int) {
            for input in inputs where Int.random(in: 0..<one, using: &random) == 0 {
                list.position = input
                // Also far beyond the limit, where steps are largest.
                list.append(
                    Float.random(in: -2...2, using: &random)
                        * (Bool.random(using: &random) ? 1 : 40))
            }
        }
        let (third, twoThirds) = (width / 3, 2 * width / 3)
        var rows = SparseRows(width: width)
        // Lists of both parts meet in each of the 16 places where kernels keep sums.
        let shared = (0..<37).map { number in
            rows.appendList {
                list(number % 3 == 0 ? 0..<third : third..<twoThirds, &$0, among: 3)
            }
        }
        for _ in 0..<count {
            let choice = Int.random(in: 0..<4, using: &random)
            let own = rows.appendList {
                list(choice == 0 ? 0..<width : twoThirds..<width, &$0, among: choice == 0 ? 1 : 4)
            }
            let second = Int.random(in: 0..<24, using: &random)
            let pair = (
                shared[Int.random(in: 0..<13, using: &random) * 3],
                shared[second / 2 * 3 + 1 + second % 2]
            )
            rows.appendRow(
                choice == 0 || choice == 1 ? SparseRows.noList : pair.0,
                choice == 0 || choice == 2 ? SparseRows.noList : pair.1, own)
        }
        return rows
    }

    private func bits(_ values: [Float]) -> [UInt32] { values.map(\.bitPattern) }

    @Test(arguments: InstructionSet.available, shapes)
    func int8OnListsIsInt8OnRowsToTheLastBit(_ set: InstructionSet, _ shape: [Int]) {
        let normalisation = RandomNetwork.normalisation(shape[0], seed: 32)
        for extreme in [false, true] {
            let layers = RandomNetwork.quantised(shape, extreme: extreme, seed: 31)
            let plain = CompiledNetwork(normalisation, layers, instructionSet: .scalar)
            let network = CompiledNetwork(
                normalisation, layers, instructionSet: set, runsOnLists: true)
            for count in [1, 2, 47, 48, 49, 300] {
                let rows = Self.rows(count, width: shape[0], seed: UInt64(count))
                let expected = bits(logits(plain, rows.dense(), count))
                #expect(bits(logits(network, rows)) == expected, "\(count) rows, \(extreme)")
                #expect(bits(logits(network, rows, threads: 3)) == expected, "\(count) rows")
                // Rows written out run on the same network, packed the other way when they come.
                #expect(bits(logits(network, rows.dense(), count)) == expected, "\(count) rows")
            }
        }
    }

    @Test(arguments: InstructionSet.available, shapes)
    func floatsOnListsAreFloatsOnRows(_ set: InstructionSet, _ shape: [Int]) {
        let layers = RandomNetwork.layers(shape, seed: 33)
        let normalisation = RandomNetwork.normalisation(shape[0], seed: 34)
        for layers in [NetworkLayers.float(layers), .half(layers)] {
            let network = CompiledNetwork(
                normalisation, layers, instructionSet: set, runsOnLists: true)
            for count in [1, 7, 130] {
                let rows = Self.rows(count, width: shape[0], seed: UInt64(count) + 50)
                let expected = logits(network, rows.dense(), count)
                let found = logits(network, rows)
                #expect(largestDifference(found, expected.map(Double.init)) < 1e-4)
            }
        }
    }

    /// Ten thousand rows of the records, and the shipped network.
    @Test(arguments: InstructionSet.available)
    func shippedNetworkAgreesOnRealRows(_ set: InstructionSet) throws {
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        let plain = model.packed(for: .scalar)
        let network = model.packed(for: set).network
        let reader = SituationReader(Fixtures.shippedHistory)
        let builder = FeatureBuilder(climatology: model.climatology)
        var batch = FeatureBatch()
        var moment = Fixtures.moment("2026-01-05T00:10")
        while batch.rowCount < 10_000 {
            let situation = reader.situation(at: moment)
            for lead in [0.0, 4, 11, 25, 58, 90] {
                for bridge in BridgeIndex.all {
                    builder.append(
                        bridge, leadMinutes: lead, density: bridge.rawValue % 2 == 0 ? 0 : 0.6,
                        in: situation, to: &batch)
                }
            }
            moment = moment.adding(minutes: 173)
        }
        let found = logits(network, batch.rows)
        let expected = logits(
            plain.network, batch.rows.dense(), batch.rowCount)
        #expect(bits(found) == bits(expected))
    }

    @Test(arguments: InstructionSet.available)
    func whatIsNotFinitePoisonsItsRowAlone(_ set: InstructionSet) throws {
        let normalisation = RandomNetwork.normalisation(30, seed: 36)
        for layers in [
            RandomNetwork.quantised([30, 20, 12], extreme: false, seed: 35),
            .float(RandomNetwork.layers([30, 20, 12], seed: 35)),
        ] {
            let network = CompiledNetwork(
                normalisation, layers, instructionSet: set, runsOnLists: true)
            for bad in [Float.nan, .infinity, -.infinity] {
                var rows = SparseRows(width: 30)
                for row in 0..<60 {
                    try rows.append(inputs: [3, 17, 29], values: [1, row % 7 == 2 ? bad : 2, -1])
                }
                let found = logits(network, rows)
                for row in 0..<60 {
                    let isBad = found[row * 12..<row * 12 + 12].map(\.isNaN)
                    #expect(isBad == Array(repeating: row % 7 == 2, count: 12), "row \(row)")
                }
                var alone = SparseRows(width: 30)
                try alone.append(inputs: [29], values: [bad])
                let isBad = logits(network, alone).map(\.isNaN)
                #expect(isBad == Array(repeating: true, count: 12))
            }
        }
    }
}
