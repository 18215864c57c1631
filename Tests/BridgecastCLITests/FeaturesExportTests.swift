// `features export`: an origin's rows without a model, compressed rows, and the inputs of trees.
import BridgecastCore
import Foundation
import Testing

@Suite struct FeaturesExportTests {
    private static let origin = ["--origin", "2025-02-15", "--rows", "500"]

    private func export(_ name: String, _ more: [String], _ home: URL) async throws -> URL {
        let folder = home.appendingPathComponent(name)
        let run = try await CommandRun(
            ["features", "export", folder.path] + Self.origin + more, home: home)
        try #require(run.code == 0, "\(run.errors)")
        return folder
    }

    /// The numbers behind a file's header.
    private func numbers<Number: BitwiseCopyable>(
        _ folder: URL, _ name: String, _ type: Number.Type
    ) throws -> [Number] {
        let data = try Data(contentsOf: folder.appendingPathComponent(name + ".npy"))
        let start = 10 + Int(data[8]) + Int(data[9]) << 8
        let content = data[start...]
        return unsafe content.withUnsafeBytes { bytes in
            (0..<bytes.count / MemoryLayout<Number>.size).map {
                unsafe bytes.loadUnaligned(
                    fromByteOffset: $0 * MemoryLayout<Number>.size, as: Number.self)
            }
        }
    }

    @Test func compressedRowsAreTheRowsWrittenOut() async throws {
        try await withHome { home in
            let dense = try await export("dense", [], home)
            let sparse = try await export("sparse", ["--sparse"], home)
            let rows = try numbers(dense, "features", Float.self)
            let shape = try numbers(sparse, "features_shape", Int64.self).map { Int($0) }
            #expect(shape[1] == FeatureSchema.count && shape[0] * shape[1] == rows.count)
            let data = try numbers(sparse, "features_data", Float.self)
            let indices = try numbers(sparse, "features_indices", Int32.self)
            let starts = try numbers(sparse, "features_indptr", Int64.self)
            var written = [Float](repeating: 0, count: rows.count)
            for row in 0..<shape[0] {
                for entry in Int(starts[row])..<Int(starts[row + 1]) {
                    written[row * shape[1] + Int(indices[entry])] = data[entry]
                }
            }
            #expect(written == rows)
            let files = FileManager.default
            #expect(!files.fileExists(atPath: sparse.path + "/features.npy"))
            #expect(!files.fileExists(atPath: dense.path + "/probabilities.npy"))
        }
    }

    @Test func treesGetPlainNumbersOfTheSameRows() async throws {
        try await withHome { home in
            let network = try await export("network", ["--training"], home)
            let trees = try await export("trees", ["--training", "--trees"], home)
            for name in ["rows.csv", "blocked.npy", "climatology.npy", "prior_logits.npy"] {
                #expect(
                    try Data(contentsOf: network.appendingPathComponent(name))
                        == Data(contentsOf: trees.appendingPathComponent(name)), "\(name)")
            }
            let rows = try String(
                contentsOf: trees.appendingPathComponent("rows.csv"), encoding: .utf8
            ).split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
            let inputs = try numbers(trees, "tree_features", Float.self)
            #expect(inputs.count == rows.count * TreeInputs.count && rows.count > 300)
            // The second number is the lead time.
            #expect(
                rows.indices.allSatisfy { row in
                    Float(rows[row][2]) == inputs[(row - rows.startIndex) * TreeInputs.count + 1]
                })
            // Learned from is what lies before the day before the origin.
            #expect(rows.allSatisfy { $0[1] < "2025-02-14" })
            let test = try await export("test", [], home)
            let scored = try String(
                contentsOf: test.appendingPathComponent("rows.csv"), encoding: .utf8
            ).split(separator: "\n").dropFirst().map { $0.split(separator: ",")[1] }
            #expect(scored.allSatisfy { $0 >= "2025-02-15" && $0 < "2025-03-01" })
        }
    }
}
