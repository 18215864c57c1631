// Files and histories that several test targets use.
package import BridgecastCore
private import BridgecastData
package import BridgecastEngine
package import BridgecastRoads
package import BridgecastTraining
package import Foundation

/// Files of the checkout, and what the shipped records say.
package enum Fixtures {
    /// The checkout.
    package static let checkout = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file of `training-data/`.
    package static func trainingData(_ name: String) -> URL {
        checkout.appendingPathComponent("training-data/" + name)
    }

    /// A file of `models/`.
    package static func model(_ name: String) -> URL {
        checkout.appendingPathComponent("models/" + name)
    }

    /// Seattle's roads, read once.
    package static let seattle: RoadNetwork = {
        do {
            return try RoadNetwork(contentsOf: model("roads/seattle.roads"))
        } catch {
            preconditionFailure("the shipped roads cannot be read: \(error)")
        }
    }()

    /// The files of the shipped records, the oldest first.
    package static let recordFiles = ["2015-2017", "2017-2018", "2025-2026"].map {
        trainingData("openings-\($0).csv")
    }

    /// The shipped records, read once.
    package static let shippedHistory: OpeningHistory = {
        do {
            let openings = try recordFiles.flatMap { file in
                try RecordFile(file, now: timestamp("2026-11-01T00:00")).openings
            }
            return OpeningHistory(
                records: openings,
                coverage: try CoverageFile.read(trainingData("coverage.json")))
        } catch {
            preconditionFailure("the shipped records cannot be read: \(error)")
        }
    }()

    /// The timestamp of a Seattle time that occurs once.
    package static func timestamp(_ text: String) -> Timestamp {
        do {
            return try TimeText.parse(text)
        } catch {
            preconditionFailure("a test names an impossible time: \(error)")
        }
    }

    /// A bridge by name.
    package static func bridge(_ name: String) -> BridgeIndex {
        guard let bridge = BridgeCatalogue.index(named: name) else {
            preconditionFailure("a test names an unknown bridge: \(name)")
        }
        return bridge
    }

    /// An opening by name and Seattle times.
    package static func opening(_ name: String, _ start: String, _ end: String?) -> Opening {
        Opening(bridge: bridge(name), start: timestamp(start), end: end.map(timestamp))
    }

    /// A folder of its own for a test; the caller removes it.
    package static func temporaryFolder() throws -> URL {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("bridgecast-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }
}

/// A small model with random weights, for tests of files and compute paths.
package enum RandomModel {
    /// The parts of a model with random weights, by default with the shipped climatology.
    package static func draft(
        hidden: [Int], seed: UInt64, climatology: Climatology = Self.climatology
    ) -> ModelDraft {
        let sizes = [FeatureSchema.count] + hidden + [DelayBins.count]
        return ModelDraft(
            name: "random", layers: DenseLayer.random(sizes, seed: seed),
            normalisation: InputNormalisation(
                mean: Array(repeating: 0.1, count: FeatureSchema.count),
                inverseDeviation: Array(repeating: 2, count: FeatureSchema.count), limit: 6),
            climatology: climatology,
            provenance: ModelProvenance(
                sources: [], fittedFrom: Fixtures.timestamp("2017-10-25T10:00"),
                fittedBefore: Fixtures.timestamp("2026-02-15T00:00"), seed: seed, commit: "test",
                settings: [:], scores: [:]))
    }

    /// The bytes of a random model's file.
    package static func bytes(
        _ format: WeightFormat, hidden: [Int] = [32, 16], seed: UInt64 = 7,
        climatology: Climatology = Self.climatology
    ) -> [UInt8] {
        let draft = draft(hidden: hidden, seed: seed, climatology: climatology)
        let calibration =
            format == .int8
            ? ActivationCalibration(draft.layers, draft.normalisation, rows: rows(64)) : nil
        return ModelFile.bytes(of: draft, as: format, calibration: calibration)
    }

    /// The first `count` real feature rows of a busy day.
    package static func rows(_ count: Int) -> FeatureBatch {
        var batch = FeatureBatch(capacity: count)
        var issueTime = Fixtures.timestamp("2026-02-20T12:00")
        while batch.rowCount < count {
            let situation = reader.situation(at: issueTime)
            for bridge in BridgeIndex.all where batch.rowCount < count {
                builder.append(
                    bridge, leadMinutes: Double(batch.rowCount % 60), density: 0.3, in: situation,
                    to: &batch)
            }
            issueTime = issueTime.adding(minutes: 3)
        }
        return batch
    }

    private static let reader = SituationReader(Fixtures.shippedHistory)
    private static let builder = FeatureBuilder(climatology: climatology)

    /// The climatology of the shipped records.
    package static let climatology = Climatology(ClimatologyCounts(Fixtures.shippedHistory))
}

/// Writes text to a file in a folder of its own and hands it over.
package func withFile<Result>(
    _ content: some Collection<UInt8>, _ name: String = "records.csv",
    _ body: (URL) throws -> Result
) throws -> Result {
    let folder = try Fixtures.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent(name)
    try Data(content).write(to: url)
    return try body(url)
}
