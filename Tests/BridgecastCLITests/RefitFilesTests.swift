// The files that `refit` replaces: all or none, whenever it is stopped; and which model a new fit is compared with.
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing

@testable import BridgecastCLI

@Suite struct RefitFilesTests {
    private struct Stopped: Error {}

    private let period =
        Fixtures.timestamp("2026-02-15T00:00")..<Fixtures.timestamp("2026-03-01T00:00")

    /// A model that was fitted to records before a day.
    private func model(before day: String, records: String, seed: UInt64 = 1) -> RefitModel {
        var draft = RandomModel.draft(hidden: [8], seed: seed)
        draft.provenance = ModelProvenance(
            sources: [ModelProvenance.Source(file: "history.sqlite", sha256: records)],
            fittedFrom: Fixtures.timestamp("2017-10-25T10:00"),
            fittedBefore: Fixtures.timestamp(day + "T00:00"), seed: 1, commit: "test",
            settings: [:], scores: [:])
        let bytes = ModelFile.bytes(
            of: draft, as: .int8,
            calibration: ActivationCalibration(
                draft.layers, draft.normalisation, rows: RandomModel.rows(64)))
        return RefitModel("city", bytes, draft.provenance)
    }

    private func path(in home: URL) -> String { home.path + "/models/city.int8.bcm" }

    /// The digests of the models in use and of validation; each manifest must have that of its model.
    private func digests(in home: URL) throws -> [String] {
        try ["city", "validation/city"].map { name in
            let file = "\(home.path)/models/\(name)"
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file + ".int8.bcm")))
            let manifest = try String(contentsOfFile: file + ".manifest.json", encoding: .utf8)
            #expect(manifest.contains(ModelFile.digest(of: bytes)), "\(name)")
            return ModelFile.digest(of: bytes)
        }
    }

    /// Files that stop before a rename, counted from 0, as if the process were killed there.
    private func files(stoppingBefore last: Int, in home: URL) throws -> RefitFiles {
        var count = 0
        return try RefitFiles(path(in: home)) { from, to in
            guard count < last else { throw Stopped() }
            count += 1
            try FileManager.default.removeItemIfAny(to)
            try FileManager.default.moveItem(atPath: from, toPath: to)
        }
    }

    /// Of five renames the first decides; the model's own is the last.
    @Test(arguments: 0...5, 0...4)
    func aReplacementThatIsStoppedIsCompletedOrWasNone(_ first: Int, _ second: Int) async throws {
        try await withHome { home in
            let old = model(before: "2026-02-28", records: "old")
            let oldValidation = model(before: "2026-02-14", records: "old", seed: 2)
            let new = model(before: "2026-03-01", records: "new", seed: 3)
            let newValidation = model(before: "2026-02-15", records: "new", seed: 4)
            func digests(_ models: RefitModel...) -> [String] {
                models.map { ModelFile.digest(of: $0.bytes) }
            }
            // Not in a variable: the lock is released at once.
            try RefitFiles(path(in: home)).replace(with: old, validated: oldValidation)
            #expect(try self.digests(in: home) == digests(old, oldValidation))

            func replace() throws {
                try files(stoppingBefore: first, in: home)
                    .replace(with: new, validated: newValidation)
            }
            if first < 5 {
                #expect(throws: Stopped.self) { try replace() }
                // What a service reads.
                let inUse = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(in: home))))
                #expect(inUse == old.bytes)
            } else {
                try replace()
            }
            // The next run is stopped too, and the one after it is not.
            _ = try? files(stoppingBefore: second, in: home)
            let expected = first == 0 ? [old, oldValidation] : [new, newValidation]
            let completed = try RefitFiles(path(in: home))
            #expect(try self.digests(in: home) == digests(expected[0], expected[1]))
            let compared = try completed.modelInUse(notFittedTo: period).header.provenance
            #expect(compared == expected[1].manifest.provenance)
            let left = try FileManager.default.contentsOfDirectory(
                atPath: home.path + "/models")
            #expect(
                left.sorted() == ["city.int8.bcm", "city.manifest.json", "validation"], "\(left)")
        }
    }

    @Test func whatAKilledRunHadWrittenIsNotUsed() async throws {
        try await withHome { home in
            let folder = home.appendingPathComponent("models/.city.refit/validation")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            _ = try write("half of a mod", "city.int8.bcm", in: folder)
            _ = try write("{}", "other.json", in: folder)
            let files = try RefitFiles(path(in: home))
            #expect(!FileManager.default.fileExists(atPath: path(in: home)))
            let new = model(before: "2026-03-01", records: "new")
            try files.replace(with: new, validated: model(before: "2026-02-15", records: "new"))
            _ = try digests(in: home)
            let left = try FileManager.default.subpathsOfDirectory(atPath: home.path + "/models")
            #expect(left.count == 5, "\(left)")
        }
    }

    @Test func aValidationModelOfOtherRecordsIsNotComparedWith() async throws {
        try await withHome { home in
            for records in ["old", "new"] {
                try RefitFiles(path(in: home)).replace(
                    with: model(before: "2026-03-01", records: "old"),
                    validated: model(before: "2026-02-15", records: records))
                let files = try RefitFiles(path(in: home))
                if records == "old" {
                    let compared = try files.modelInUse(notFittedTo: period)
                    #expect(compared.header.provenance.fittedBefore == period.lowerBound)
                } else {
                    let error = #expect(throws: CommandFailure.self) {
                        try files.modelInUse(notFittedTo: period)
                    }
                    #expect(error?.message.contains("was fitted to days") == true)
                }
            }
        }
    }

    @Test(arguments: [
        ("a.int8.bcm", "a"), ("/x/b-1_2.c.int8.bcm", "b-1_2.c"), ("a.fp32.bcm", nil),
        (".int8.bcm", nil), (".a.int8.bcm", nil), ("a b.int8.bcm", nil), ("", nil),
    ])
    func aModelIsNamedByItsFile(_ example: (String, String?)) {
        #expect(RefitFiles.name(ofModel: example.0) == example.1)
    }
}

extension FileManager {
    fileprivate func removeItemIfAny(_ path: String) throws {
        if fileExists(atPath: path) { try removeItem(atPath: path) }
    }
}
