// What `bridgecast bench --tune` found: the table it makes, and its words.
import BridgecastBench
import BridgecastEngine

/// The measurements and the table that follows from them.
struct PathTuningReport: Encodable {
    let machine: Machine
    let gains: [PathGain]
    let table: PathTable

    /// The ratios by format, network and batch, and what follows.
    func text() -> String {
        let batches = Set(gains.map(\.batch)).sorted()
        var ratios = TextTable(
            ["format", "network"] + batches.map(String.init),
            [.left, .left] + batches.map { _ in .right })
        for (format, network) in lines() {
            let line = gains.filter { $0.format == format && $0.network == network }
            ratios.add(
                [format.rawValue, network]
                    + batches.map { batch in
                        line.first { $0.batch == batch }.map { fixed($0.gain, 2) } ?? ""
                    })
        }
        var taken = TextTable(["format", "rows written out", "lists"], [.left, .right, .right])
        for format in WeightFormat.allCases {
            let crossover = table[format]
            taken.add([format.rawValue, words(crossover.rows), words(crossover.lists)])
        }
        return """
            \(machine.cpu), \(table.cpu), kernels of \(table.instructionSet), OpenBLAS for \
            \(table.openBLASCore)

            Time of our kernels over that of OpenBLAS, by rows of a call; above 1, OpenBLAS is faster
            \(ratios.text())

            The batch from which OpenBLAS is taken: faster by 5 % there and beyond, on all networks
            \(taken.text())
            """
    }

    /// Formats and networks in the order of their measurement.
    private func lines() -> [(WeightFormat, String)] {
        var lines: [(WeightFormat, String)] = []
        for gain in gains where !lines.contains(where: { $0 == (gain.format, gain.network) }) {
            lines.append((gain.format, gain.network))
        }
        return lines
    }

    private func words(_ batch: Int) -> String {
        batch == PathTable.Crossover.never ? "never" : "\(batch)"
    }
}
