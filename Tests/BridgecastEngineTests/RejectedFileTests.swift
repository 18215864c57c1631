// The corpus of rejected files: each breaks one rule of the format and is refused for that rule.
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastEngine

@Suite struct RejectedFileTests {
    private static let folder = Fixtures.checkout.appendingPathComponent(
        "Tests/BridgecastEngineTests/Rejected")

    /// The rule a file is refused for: as a network or, if that passes, as a forecast.
    private func brokenRule(_ bytes: [UInt8]) -> String? {
        do {
            _ = try ModelFile.readNetwork(bytes)
            _ = try ModelFile.read(bytes)
            return nil
        } catch {
            return error.rule
        }
    }

    @Test func everyFileIsRefusedForTheRuleItIsNamedAfter() throws {
        for file in RejectedFiles.all {
            let rule = String(file.name.prefix { $0 != "-" })
            #expect(brokenRule(file.bytes) == rule, "\(file.name)")
        }
        for format in WeightFormat.allCases {
            _ = try ModelFile.readNetwork(RejectedFiles.good(format))
            _ = try ModelFile.read(RejectedFiles.goodForecast(format))
        }
    }

    /// The committed files are what other implementations test against, so they must not drift.
    ///
    /// With BRIDGECAST_WRITE_CORPUS=1 they are written anew; they come out the same on every machine.
    @Test func theCommittedFilesAreTheSameByteForByte() throws {
        let manager = FileManager.default
        if ProcessInfo.processInfo.environment["BRIDGECAST_WRITE_CORPUS"] == "1" {
            try? manager.removeItem(at: Self.folder)
            try manager.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            for file in RejectedFiles.all {
                try Data(file.bytes).write(
                    to: Self.folder.appendingPathComponent(file.name + ".bcm"))
            }
        }
        let names = try manager.contentsOfDirectory(atPath: Self.folder.path).sorted()
        #expect(names == RejectedFiles.all.map { $0.name + ".bcm" }.sorted())
        for file in RejectedFiles.all {
            let url = Self.folder.appendingPathComponent(file.name + ".bcm")
            let isSame = [UInt8](try Data(contentsOf: url)) == file.bytes
            #expect(isSame, "\(file.name)")
        }
    }

    /// Every rule has a file, but for the two that a small file cannot break.
    @Test func everyRuleHasAFile() throws {
        let source = try String(
            contentsOf: Fixtures.checkout.appendingPathComponent(
                "Sources/BridgecastEngine/ModelFile/ModelFileError.swift"), encoding: .utf8)
        let declared = source.split(separator: "\n").prefix { !$0.hasPrefix("}") }
            .filter { $0.hasPrefix("    case ") }
            .map { $0.dropFirst(9).prefix { $0.isLetter } }
        #expect(declared.count > 30)
        let covered = Set(RejectedFiles.all.map { $0.name.prefix { $0 != "-" } })
        #expect(Set(declared).subtracting(covered) == ["refused", "unreadable", "tooLong"])
    }

    @Test func aFileTooLongOrNotThereIsRefusedAsThat() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("long.bcm")
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(ModelFileFormat.largestFileBytes) + 1)
        try handle.close()
        for (file, rule) in [
            (url, "tooLong"), (folder.appendingPathComponent("no.bcm"), "unreadable"),
        ] {
            do {
                _ = try ModelFile.read(file)
                Issue.record("\(rule) must be refused")
            } catch {
                #expect(error.rule == rule)
            }
        }
    }
}

@Suite struct ModelFileFuzzTests {
    /// What a share of the cases came to.
    private struct Tally: Sendable {
        var read = 0
        var rules: [String: Int] = [:]
        var longest = Duration.zero

        mutating func add(_ other: Tally) {
            read += other.read
            rules.merge(other.rules, uniquingKeysWith: +)
            longest = max(longest, other.longest)
        }
    }

    private static let small = WeightFormat.allCases.map { RejectedFiles.good($0) }
    private static let forecasts = WeightFormat.allCases.map { RejectedFiles.goodForecast($0) }

    @Test func mutatedFilesAreReadOrRefusedButNeverTrusted() async {
        let fuzz = FuzzRun(usually: 40_000)
        let cases = fuzz.cases
        let seed = fuzz.seed
        let total = await fuzz.results(Self.run).reduce(into: Tally()) { $0.add($1) }
        let refused = total.rules.values.reduce(0, +)
        #expect(total.read + refused == cases)
        // Mutations must reach far into the reader, not only its first checks.
        #expect(refused > cases / 3 && total.rules.count > 20)
        if !fuzz.isUsual {
            let rules = total.rules.sorted { $0.value > $1.value }
                .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            print("\(cases) files from seed \(seed): \(total.read) read and run, refused: \(rules)")
            print("the longest took \(total.longest)")
        }
    }

    private static func run(_ cases: Int, _ seed: UInt64) -> Tally {
        var random = SeededGenerator(seed: seed)
        let batch = RandomModel.rows(3)
        var tally = Tally()
        var workspace = Workspace()
        var output: [Float] = []
        for round in 0..<cases {
            let isForecast = round % 32 == 0
            let originals = isForecast ? forecasts : small
            var bytes = originals[round % 3]
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                mutate(&bytes, originals[Int.random(in: 0..<3, using: &random)], &random)
            }
            // Mostly with the digest made right, so that the checks after it are reached.
            if round % 16 != 1, bytes.count > 32 { bytes = RejectedFiles.edited(bytes) { _ in } }
            // What can be read runs on one instruction set after another.
            let sets = InstructionSet.available
            let set = sets[round / 3 % sets.count]
            let start = ContinuousClock.now
            do {
                if isForecast {
                    let model = try ModelFile.read(bytes).packed(for: set)
                    model.predict(batch, into: &output, workspace: &workspace)
                } else {
                    let network = try ModelFile.readNetwork(bytes, instructionSet: set).network
                    try run(network, &output, &workspace)
                }
                precondition(output.allSatisfy(\.isFinite), "seed \(seed), case \(round)")
                tally.read += 1
            } catch let error as ModelFileError {
                tally.rules[error.rule, default: 0] += 1
            } catch {
                preconditionFailure("seed \(seed), case \(round): \(error)")
            }
            tally.longest = max(tally.longest, ContinuousClock.now - start)
        }
        return tally
    }

    private static func run(
        _ network: CompiledNetwork, _ output: inout [Float], _ workspace: inout Workspace
    ) throws {
        let features = [Float](repeating: 0.7, count: 2 * network.inputs)
        output = [Float](repeating: .nan, count: 2 * network.outputs)
        var span = output.mutableSpan
        network.logits(features.span, into: &span, workspace: &workspace)
    }

    private static let numbers = [
        "0", "-1", "1e999", "65", "4096", "4294967296", "9223372036854775807", "1e-45", "null",
        "[]", "{}", "true", "-0", "00", "\"", "[[[[[[[[[", "\"\\u0041\\n\"", "\"\\ud83d\\ude00\"",
        "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\\uffff\"", "\"\\",
    ]

    private static func mutate(
        _ bytes: inout [UInt8], _ other: [UInt8], _ random: inout SeededGenerator
    ) {
        guard bytes.count > 100 else { return }
        // Half of all mutations hit the preamble and the header, where the decisions are.
        let reach = Bool.random(using: &random) ? min(bytes.count, 1_200) : bytes.count
        let position = Int.random(in: 0..<reach, using: &random)
        let end = min(bytes.count, position + Int.random(in: 1...64, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes[position] = UInt8.random(in: 0...255, using: &random)
        case 3: bytes.removeLast(Int.random(in: 1..<bytes.count / 2, using: &random))
        case 4: bytes.removeSubrange(position..<end)
        case 5: bytes.insert(contentsOf: [0x39, 0x39, 0x39], at: position)
        case 6:
            // A piece of another file in its place.
            guard end <= other.count else { return }
            bytes.replaceSubrange(position..<end, with: other[position..<end])
        case 7:
            // Another number or value: sizes, offsets and shapes are in decimal.
            guard let start = bytes[position...].firstIndex(where: isDigit) else { return }
            let stop = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.endIndex
            let text = numbers[Int.random(in: 0..<numbers.count, using: &random)]
            bytes.replaceSubrange(start..<stop, with: Array(text.utf8))
        default:
            guard let digit = bytes[position...].firstIndex(where: isDigit) else { return }
            bytes[digit] = UInt8.random(in: 48...57, using: &random)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
