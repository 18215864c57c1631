// Encrypted journals: what is in the file, keys, damage, and two programs at once.
import BridgecastCore
@testable import BridgecastJourneys
@testable import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

@Suite struct EncryptedJournalTests {
    private let key = StoreKey([UInt8](repeating: 7, count: 32))
    private let otherKey = StoreKey([UInt8](repeating: 8, count: 32))

    private func problem(_ body: () throws -> Void) -> StoreProblem? {
        do {
            try body()
            return nil
        } catch let error as JourneyStoreError {
            if case .file(let problem) = error.problem { return problem }
            return nil
        } catch {
            return nil
        }
    }

    /// Calls a closure with the URL of an encrypted journal of one journey from a marked origin.
    private func withEncrypted(_ body: (URL) throws -> Void) throws {
        try withJournalFolder { folder in
            let url = folder.appendingPathComponent("journeys.sqlite")
            let store = try JourneyStore(url, .writing, key: key)
            try store.add(entry("a"), now: testNow)
            try store.add(commute(mark))
            store.close()
            try body(url)
        }
    }

    private let mark = "ZANZIBAR"

    private func entry(_ id: String, minutesAgo: Double = 60) -> Journey {
        journey(id, at: testNow.adding(minutes: -minutesAgo), from: mark)
    }

    private func ids(_ url: URL, _ key: StoreKey?) throws -> [String] {
        try JourneyStore(url, .reading, key: key).journeys().map(\.id)
    }

    private func files(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    // MARK: The file

    @Test func nothingOfAJournalCanBeReadInItsFolder() throws {
        try withEncrypted { url in
            let store = try JourneyStore(url, .writing, key: key)
            for number in 0..<20 {
                try store.add(entry("b\(number)", minutesAgo: 100 + Double(number)), now: testNow)
                let folder = url.deletingLastPathComponent()
                #expect(try files(in: folder) == ["journeys.sqlite"])
                let content = try Data(contentsOf: url)
                for text in [mark, mark.lowercased(), "SQLite format", "CREATE TABLE", "journey"] {
                    #expect(content.range(of: Data(text.utf8)) == nil, "\(text)")
                }
            }
            #expect(try store.journeys().count == 21)
        }
    }

    @Test func theSameContentIsNeverTheSameBytes() throws {
        try withEncrypted { url in
            let before = try Data(contentsOf: url)
            let store = try JourneyStore(url, .writing, key: key)
            _ = try store.setMaxJourneys(store.maxJourneys())
            let after = try Data(contentsOf: url)
            // Everything after the part of the header that names format and key.
            #expect(before[32..<64] != after[32..<64])
            let same = zip(before[72...], after[72...]).count { $0 == $1 }
            #expect(same < before.count / 100)
        }
    }

    @Test func aReaderByTheDocumentedFormatFindsTheRows() throws {
        try withEncrypted { url in
            let keyFile = url.deletingLastPathComponent().appendingPathComponent("key")
            try Data("0707070707070707070707070707070707070707070707070707070707070707".utf8)
                .write(to: keyFile)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [
                "python3",
                Fixtures.checkout.appendingPathComponent("tools/checks/feeds/journals.py").path,
                url.path, keyFile.path,
            ]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let output = String(
                decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "python3 has the package cryptography")
            #expect(output.contains("INSERT INTO \"journey\" VALUES('a','car/zanzibar/work'"))
            #expect(output.contains("INSERT INTO \"favourite\""))
        }
    }

    @Test func theModeIsThatOfItsOwnerAloneAndALinkStays() throws {
        try withEncrypted { url in
            let link = url.deletingLastPathComponent().appendingPathComponent("link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
            try JourneyStore(link, .writing, key: key).add(
                entry("b", minutesAgo: 200), now: testNow)
            #expect(try ids(url, key) == ["b", "a"])
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == url.path)
        }
    }

    // MARK: Keys and damage

    @Test func withoutTheKeyTheJournalIsRefusedAndNotChanged() throws {
        try withEncrypted { url in
            let before = try Data(contentsOf: url)
            for access in [HistoryStore.Access.reading, .writing] {
                #expect(problem { _ = try JourneyStore(url, access) } == .encrypted)
                #expect(
                    problem { _ = try JourneyStore(url, access, key: otherKey) } == .wrongKey)
            }
            #expect(StoreProblem.encrypted.kind == .missing)
            #expect(StoreProblem.wrongKey.kind == .data)
            #expect(throws: HistoryStoreError.self) { try HistoryStore(url, .writing) }
            #expect(HistoryStore.isDatabaseOrItsLog(url))
            #expect(try Data(contentsOf: url) == before)
        }
    }

    @Test func aJournalThatIsNotEncryptedIsRefusedWithAKeyAndNotChanged() throws {
        try withJournal { (store, url) throws in
            try store.add(entry("a"), now: testNow)
            for access in [HistoryStore.Access.reading, .writing] {
                #expect(problem { _ = try JourneyStore(url, access, key: key) } == .notEncrypted)
            }
            #expect(try store.journeys().count == 1)
        }
    }

    @Test func eachChangedByteAndEachCutIsFoundAndNothingIsWritten() throws {
        try withEncrypted { url in
            let whole = try Data(contentsOf: url)
            var random = SeededGenerator(seed: 1)
            // Every byte of the header and the tag, and some of the ciphertext.
            let indices =
                Array(0..<72)
                + (0..<300).map { _ in Int.random(in: 72..<whole.count, using: &random) }
                + Array(whole.count - 16..<whole.count)
            for index in indices {
                var changed = whole
                changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                try changed.write(to: url)
                for access in [HistoryStore.Access.reading, .writing] {
                    let found = problem { _ = try JourneyStore(url, access, key: key) }
                    #expect(found != nil, "byte \(index)")
                    #expect(found?.kind == .data, "byte \(index): \(String(describing: found))")
                }
                #expect(try Data(contentsOf: url) == changed)
            }
            for _ in 0..<100 {
                let count = Int.random(in: 1..<whole.count, using: &random)
                try whole.prefix(count).write(to: url)
                #expect(problem { _ = try JourneyStore(url, .writing, key: key) } != nil)
                #expect(try Data(contentsOf: url).count == count)
            }
            try (whole + [0]).write(to: url)
            #expect(
                problem { _ = try JourneyStore(url, .reading, key: key) }
                    == .damaged("something was added at its end"))
        }
    }

    @Test func randomBytesAfterTheMarkAreRefused() throws {
        try withJournalFolder { folder in
            let url = folder.appendingPathComponent("journeys.sqlite")
            var random = SeededGenerator(seed: 2)
            for _ in 0..<300 {
                let count = Int.random(in: 0..<400, using: &random)
                let noise = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
                try Data("BCSEALED".utf8 + noise).write(to: url)
                #expect(problem { _ = try JourneyStore(url, .reading, key: key) }?.kind == .data)
            }
        }
    }

    @Test func aNewerVersionIsRefused() throws {
        try withEncrypted { url in
            var content = try Data(contentsOf: url)
            content[8] = 2
            try content.write(to: url)
            #expect(problem { _ = try JourneyStore(url, .writing, key: key) } == .newer)
        }
    }

    @Test func boundJournalsCannotBeExchanged() throws {
        try withJournalFolder { folder in
            let one = folder.appendingPathComponent("one.sqlite")
            let two = folder.appendingPathComponent("two.sqlite")
            for url in [one, two] {
                try JourneyStore(url, .writing, key: key, isBoundToName: true).close()
            }
            try Data(contentsOf: one).write(to: two)
            let damage = StoreProblem.damaged("it was changed, or is not the file of this name")
            #expect(problem { _ = try JourneyStore(two, .writing, key: key) } == damage)
            // Nor by one that is bound to no name.
            try FileManager.default.removeItem(at: one)
            try JourneyStore(one, .writing, key: key).close()
            #expect(
                problem { _ = try JourneyStore(one, .writing, key: key, isBoundToName: true) }
                    == .damaged("it was not encrypted as a file of this name"))
        }
    }

    // MARK: Conversion

    @Test func aJournalIsEncryptedRekeyedAndDecryptedWithoutLoss() throws {
        try withJournal { (store, url) throws in
            try store.add(entry("a"), now: testNow)
            try store.add(commute(mark))
            let contents = try store.contents()
            let salt = try store.salt()
            // While a program has it open, that would go on writing to a file that is gone.
            #expect(problem { _ = try JourneyStore.encrypt(url, with: key) } == .busy)
            store.close()
            let old = try FileHandle(forReadingFrom: url)
            #expect(try JourneyStore.encrypt(url, with: key))
            #expect(try !JourneyStore.encrypt(url, with: key))
            #expect(problem { _ = try JourneyStore.encrypt(url, with: otherKey) } == .wrongKey)
            #expect(try files(in: url.deletingLastPathComponent()) == ["journeys.sqlite"])
            // The file that was replaced has nothing but zeros.
            let left = try #require(try old.readToEnd())
            #expect(left.count > 10_000 && left.allSatisfy { $0 == 0 })
            try JourneyStore.changeKey(of: url, from: key, to: otherKey)
            #expect(problem { _ = try ids(url, key) } == .wrongKey)
            #expect(try JourneyStore(url, .reading, key: otherKey).contents() == contents)
            #expect(problem { try JourneyStore.decrypt(url, with: key) } == .wrongKey)
            try JourneyStore.decrypt(url, with: otherKey)
            let again = try JourneyStore(url, .writing)
            #expect(try again.contents() == contents)
            #expect(try again.salt() == salt)
            #expect(
                try files(in: url.deletingLastPathComponent()).allSatisfy { !$0.hasSuffix("part") })
        }
    }

    @Test func aJournalOfAnOlderVersionIsEncryptedAndThenMigrated() throws {
        try withJournal { (store, url) throws in
            try store.database.write {
                try $0.execute(
                    sql: """
                        ALTER TABLE journey DROP COLUMN expectedDelaySeconds;
                        DROP TABLE reminder; DROP TABLE settings; PRAGMA user_version = 1
                        """)
            }
            store.close()
            #expect(try JourneyStore.encrypt(url, with: key))
            #expect(problem { _ = try ids(url, key) } == .outdated)
            try JourneyStore(url, .writing, key: key).add(entry("a"), now: testNow)
            #expect(try ids(url, key) == ["a"])
        }
    }

    @Test func oneThatAnOlderVersionReplacedIsRefusedEachTime() throws {
        try withEncrypted { url in
            let reader = try JourneyStore(url, .reading, key: key)
            defer { reader.close() }
            let older = url.deletingLastPathComponent().appendingPathComponent("older.sqlite")
            let store = try JourneyStore(older, .writing)
            try store.database.write {
                try $0.execute(sql: "DROP TABLE settings; PRAGMA user_version = 2")
            }
            store.close()
            #expect(try JourneyStore.encrypt(older, with: key))
            try Data(contentsOf: older).write(to: url)
            for _ in 1...2 { #expect(problem { _ = try reader.journeys() } == .outdated) }
        }
    }

    // MARK: Changes

    @Test func aChangeThatFailsLeavesFileAndMemoryAsTheyWere() throws {
        try withEncrypted { url in
            let store = try JourneyStore(url, .writing, key: key)
            let before = try Data(contentsOf: url)
            #expect(throws: JourneyStoreError.self) { try store.add(entry("a"), now: testNow) }
            #expect(try store.clear(before: testNow, isTrial: true) == 1)
            #expect(try Data(contentsOf: url) == before)
            // A folder where the new file would be written.
            let partial = URL(fileURLWithPath: url.path + ".part")
            try FileManager.default.createDirectory(at: partial, withIntermediateDirectories: true)
            #expect(throws: JourneyStoreError.self) {
                try store.add(entry("b", minutesAgo: 90), now: testNow)
            }
            #expect(try store.journeys().map(\.id) == ["a"])
            #expect(try Data(contentsOf: url) == before)
            try FileManager.default.removeItem(at: partial)
            try store.add(entry("b", minutesAgo: 90), now: testNow)
            #expect(try ids(url, key) == ["b", "a"])
        }
    }

    @Test func twoStoresOfOneFileSeeAndKeepEachOthersChanges() throws {
        try withEncrypted { url in
            let one = try JourneyStore(url, .writing, key: key)
            let two = try JourneyStore(url, .writing, key: key)
            for number in 0..<10 {
                let writer = number % 2 == 0 ? one : two
                try writer.add(entry("b\(number)", minutesAgo: 100 + Double(number)), now: testNow)
                #expect(try one.journeys() == two.journeys())
            }
            #expect(try ids(url, key).count == 11)
        }
    }

    @Test func manyThreadsWithStoresOfTheirOwnLoseNothing() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("journeys.sqlite")
        let key = key
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let store = try JourneyStore(url, .writing, key: key)
                    for number in 0..<25 {
                        try store.add(
                            journey(
                                "w\(writer)-\(number)",
                                at: testNow.adding(minutes: -100 - Double(number))), now: testNow)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(Set(try ids(url, key)).count == 100)
    }

    @Test func aJournalThatWasRemovedIsBegunAnew() throws {
        try withEncrypted { url in
            let store = try JourneyStore(url, .writing, key: key)
            try FileManager.default.removeItem(at: url)
            #expect(try store.journeys().isEmpty)
            try store.add(entry("b"), now: testNow)
            #expect(try ids(url, key) == ["b"])
        }
    }

    @Test func oneThatWasDecryptedMeanwhileIsNeitherReadNorWritten() throws {
        try withEncrypted { url in
            let store = try JourneyStore(url, .writing, key: key)
            try JourneyStore.decrypt(url, with: key)
            #expect(problem { _ = try store.journeys() } == .notEncrypted)
            #expect(problem { try store.add(entry("b"), now: testNow) } == .notEncrypted)
            #expect(try ids(url, nil) == ["a"])
        }
    }

    // MARK: Files of keys

    @Test func aKeyIsMadeOnceAndReadOnlyIfOthersCannot() throws {
        try withJournalFolder { folder in
            let url = folder.appendingPathComponent("key")
            let made = try StoreKey.make(at: url)
            #expect(try StoreKey(contentsOf: url) == made)
            #expect(try StoreKey.make(at: folder.appendingPathComponent("other")) != made)
            #expect(keyProblem { _ = try StoreKey.make(at: url) } == .exists)
            let text = try String(contentsOf: url, encoding: .utf8)
            #expect(!"\(made)".contains(text.prefix(6)))
            for mode in [0o640, 0o604] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode], ofItemAtPath: url.path)
                #expect(keyProblem { _ = try StoreKey(contentsOf: url) } == .readableByOthers)
            }
            let missing = folder.appendingPathComponent("none")
            #expect(keyProblem { _ = try StoreKey(contentsOf: missing) } == .missing)
        }
    }

    @Test(arguments: [
        "", "00", "+1" + String(repeating: "0", count: 62), String(repeating: "g", count: 64),
    ])
    func whatIsNoKeyIsRefused(_ text: String) throws {
        try withJournalFolder { folder in
            let url = folder.appendingPathComponent("key")
            try Data(text.utf8).write(to: url)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: url.path)
            #expect(keyProblem { _ = try StoreKey(contentsOf: url) } == .notAKey)
        }
    }

    private func keyProblem(_ body: () throws -> Void) -> StoreKeyError.Problem? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StoreKeyError)?.problem
        }
    }
}
