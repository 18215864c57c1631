// Decides from measurements which batches OpenBLAS takes: what `bridgecast bench --tune` makes a table of.
internal import BridgecastCore
public import BridgecastEngine

/// Makes a ``PathTable``.
public enum PathTuning {
    /// OpenBLAS is taken where our kernels take so many times as long, or more.
    public static let margin = 1.05

    /// What is measured: our kernels and OpenBLAS by turns, on one thread.
    public static var plan: BenchPlan {
        var plan = BenchPlan()
        plan.batches = [1, 2, 4, 8, 16, 32, 64, 256, 1024, 4096]
        plan.threads = [1]
        plan.units = [.simd, .blas]
        plan.turnMilliseconds = 5
        return plan
    }

    /// Compares the two on a network.
    ///
    /// - Throws: ``BenchError`` if a result is wrong.
    public static func gains(
        _ network: BenchNetwork, progress: (String) -> Void
    ) throws -> [PathGain] {
        let results = try NetworkBench(plan).run(network, progress: progress)
        return results.filter { $0.path == ComputeUnits.simd.rawValue }.compactMap { kernels in
            let blas = results.first {
                $0.path == ComputeUnits.blas.rawValue && $0.format == kernels.format
                    && $0.batch == kernels.batch
            }
            guard let blas, let format = WeightFormat(rawValue: kernels.format) else { return nil }
            return PathGain(
                network: network.name, format: format, isOfLists: network.lists != nil,
                batch: kernels.batch,
                gain: median(zip(kernels.roundMedians, blas.roundMedians).map { $0 / $1 }))
        }
    }

    /// The table that follows from measurements on a machine.
    public static func table(_ gains: [PathGain], on machine: Machine) -> PathTable {
        var table = PathTable(
            .preferred, cpu: machine.familyAndModel, openBLASCore: machine.openBLASCore)
        for format in WeightFormat.allCases {
            let ofFormat = gains.filter { $0.format == format }
            table[format] = PathTable.Crossover(
                rows: crossover(ofFormat.filter { !$0.isOfLists }),
                lists: crossover(ofFormat.filter(\.isOfLists)))
        }
        return table
    }

    /// The batch from which on OpenBLAS is faster by the margin, on every network and at every batch measured.
    private static func crossover(_ gains: [PathGain]) -> Int {
        let leastGains = Dictionary(gains.map { ($0.batch, $0.gain) }, uniquingKeysWith: min)
            .sorted { $0.key > $1.key }
        return leastGains.prefix { $0.value >= margin }.last?.key ?? PathTable.Crossover.never
    }
}
