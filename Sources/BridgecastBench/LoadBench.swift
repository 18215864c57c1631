// Times loading a model, from the cold file to the first forecast.
import BridgecastCore
import BridgecastEngine
public import Foundation

/// What it takes to begin: from a file to the first forecast.
public struct LoadBench {
    /// Loading times and memory.
    public struct Result: Sendable, Encodable {
        /// Steps and their times.
        public let parts: [PartResult]
        /// Bytes of the file and of the packed network in memory.
        public let fileBytes: Int, packedBytes: Int
    }

    /// Loads a file again and again; each time from disk to a forecast of one row, features included.
    ///
    /// The first time is the one that counts for a program that starts: call this before anything else.
    public static func run(_ file: URL, rounds: Int) throws -> Result {
        var (reading, building, whole): ([UInt64], [UInt64], [UInt64]) = ([], [], [])
        var (packed, grown) = (0, 0)
        let before = residentKB()
        for round in 0..<rounds {
            let start = Stopwatch.now()
            let model = try ModelFile.read(file)
            let loaded = Stopwatch.now()
            var batch = FeatureBatch()
            FeatureBuilder(climatology: model.climatology).append(
                BridgeIndex.all[0], leadMinutes: 10, density: 0.3,
                in: .unknown(at: Timestamp(secondsSinceEpoch: 1_700_000_000)), to: &batch)
            building.append(Stopwatch.now() - loaded)
            var workspace = Workspace()
            var output: [Float] = []
            model.predict(batch, into: &output, workspace: &workspace)
            whole.append(Stopwatch.now() - start)
            reading.append(loaded - start)
            if round == 0 { grown = residentKB() - before }
            packed = model.network.packedBytes
        }
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        return Result(
            parts: [
                PartResult(
                    "file to first forecast, first time", count: 1, [whole[0]], residentKB: grown),
                PartResult("of that, file to model", count: 1, [reading[0]]),
                PartResult("of that, features of the row", count: 1, [building[0]]),
                PartResult("file to model", count: 1, reading),
                PartResult("file to first forecast", count: 1, whole),
            ], fileBytes: size, packedBytes: packed)
    }
}
