// `features export`: rows of an origin, compressed rows, inputs of trees.
import BridgecastCore
import BridgecastTraining
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

    /// The numbers after a file's header.
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

    @Test func treeInputsAreOfTheSameRows() async throws {
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
            // Learned from are the records before the day before the origin.
            #expect(rows.allSatisfy { $0[1] < "2025-02-14" })
            let test = try await export("test", [], home)
            let scored = try String(
                contentsOf: test.appendingPathComponent("rows.csv"), encoding: .utf8
            ).split(separator: "\n").dropFirst().map { $0.split(separator: ",")[1] }
            #expect(scored.allSatisfy { $0 >= "2025-02-15" && $0 < "2025-03-01" })
        }
    }

    @Test func onlyFilesOfAnEarlierExportAreRemoved() async throws {
        try await withHome { home in
            let kept = [
                "prior_logits.npy", "blocked.npy", "climatology.npy", "rows.csv", "mine.txt",
            ]
            let folder = home.appendingPathComponent("out")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
            for name in ["mine.txt", "probabilities.npy"] {
                _ = try write("of before", name, in: folder)
            }
            let compressed = ["data", "indices", "indptr", "shape"].map { "features_\($0).npy" }
            for (form, own) in [
                ([], ["features.npy"]), (["--sparse"], compressed),
                (["--trees"], ["tree_features.npy"]), ([], ["features.npy"]),
            ] {
                _ = try await export("out", form, home)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(Set(names) == Set(kept + own), "\(form)")
            }
        }
    }

    @Test(arguments: [
        (["--origin", "2025-02-15", "--from", "2025-02-16"], "--origin takes no --from"),
        (["--origin", "2025-02-15", "--to", "2025-02-16"], "--origin takes no --from"),
        (["--days", "3"], "need --origin"),
        (["--purge-days", "0"], "need --origin"),
        (["--training", "--from", "2025-02-16"], "--training takes no --from"),
        (["--origin", "2025-02-15", "--sparse", "--trees"], "--trees takes no --sparse"),
    ])
    func anOptionThatWouldChangeNothingIsRefused(_ options: [String], words: String) async throws {
        try await withHome { home in
            let folder = home.path + "/out"
            let run = try await CommandRun(["features", "export", folder] + options, home: home)
            #expect(run.code == 64 && run.errors.contains(words), "\(run.code): \(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    /// What a day, bridge and lead came to: rows, blocked ones, log loss of climatology.
    private struct Sums {
        var rows = 0
        var blocked = 0
        var loss = 0.0
    }

    /// The sums of exported rows, as any other program would take them.
    private func sums(_ folder: URL) throws -> [String: Sums] {
        let climatology = try numbers(folder, "climatology", Float.self)
        let blocked = try numbers(folder, "blocked", UInt8.self)
        let text = try String(
            contentsOf: folder.appendingPathComponent("rows.csv"), encoding: .utf8)
        let rows = text.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
        try #require(rows.count == climatology.count && rows.count == blocked.count)
        var sums: [String: Sums] = [:]
        for (row, (prior, happened)) in zip(rows, zip(climatology, blocked)) where row[2] != "0" {
            let probability = min(max(Double(prior), 1e-7), 1 - 1e-7)
            let key = "\(row[1].prefix(10)) \(row[0]) \(row[2])"
            sums[key, default: Sums()].rows += 1
            sums[key]?.blocked += Int(happened)
            sums[key]?.loss -= log(happened == 1 ? probability : 1 - probability)
        }
        return sums
    }

    @Test func anOriginsRowsAreThoseThatOriginsScores() async throws {
        try await withHome { home in
            let cut = ["--origin", "2025-02-15", "--days", "1"]
            let folder = home.appendingPathComponent("rows")
            let exported = try await CommandRun(
                ["features", "export", folder.path, "--sparse"] + cut, home: home)
            try #require(exported.code == 0, "\(exported.errors)")
            // What the model makes of them does not matter here: a fit of a second.
            let scored = try await CommandRun(
                [
                    "origins", "run", "--recipe-name", "small", "--folder", home.path, "--quiet",
                    "--teachers", "0", "--epochs", "1", "--hidden", "8",
                    "--minutes-between-issue-times", "1440",
                ] + cut, home: home)
            try #require(scored.code == 0, "\(scored.errors)")
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let scores = try decoder.decode(
                OriginScores.self,
                from: Data(contentsOf: home.appendingPathComponent("small/2025-02-15.json")))
            let sums = try sums(folder)
            #expect(sums.count == scores.rows.count && scores.rows.count >= 40)
            for cell in scores.rows {
                let key = "\(cell.day) \(cell.bridge) \(cell.leadMinutes)"
                let sum = try #require(sums[key], "\(key)")
                #expect(sum.rows == cell.rows && sum.blocked == cell.blocked, "\(key)")
                #expect(abs(sum.loss - cell.climatologyLoss) < 1e-6, "\(key)")
            }
        }
    }
}
