// Features for a share of people: who is in, that they stay in, and that switches truly switch.
@testable import BridgecastJourneys
import BridgecastCore
import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct FeatureTests {
    private static let key = "a key for the tests only"
    private static let people = (0..<10_000).map { "person-\($0)" }

    private func rollout(_ share: Double, key: String = Self.key) -> FeatureRollout {
        var rollout = FeatureRollout()
        rollout.key = key
        for feature in Feature.allCases { rollout.shares[feature] = share }
        return rollout
    }

    private func members(_ share: Double, _ feature: Feature, key: String = Self.key) -> Set<String>
    {
        let rollout = rollout(share, key: key)
        return Set(Self.people.filter { rollout.isOn(feature, for: $0) })
    }

    @Test func aPersonStaysInAsTheShareGrows() {
        for feature in Feature.allCases {
            var before: Set<String> = []
            for share in [0, 0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.99, 1] {
                let now = members(share, feature)
                #expect(before.isSubset(of: now), "\(feature) at \(share)")
                before = now
            }
            #expect(before.count == Self.people.count)
        }
    }

    /// Within five standard errors of a binomial: one in two million trials would be outside by chance.
    @Test func theShareOfPeopleIsTheOneThatWasSet() {
        for feature in Feature.allCases {
            #expect(members(0, feature).isEmpty)
            for share in [0.01, 0.1, 0.25, 0.5, 0.9] {
                let n = Double(Self.people.count)
                let error = (n * share * (1 - share)).squareRoot()
                let count = Double(members(share, feature).count)
                #expect(abs(count - n * share) < 5 * error, "\(feature) at \(share): \(count)")
            }
        }
    }

    /// Of two features at one half, a quarter of all have both; of two keys as well.
    @Test func featuresAndKeysAreIndependent() {
        let all = Feature.allCases
        var pairs = all.indices.flatMap { first in
            all[(first + 1)...].map { (members(0.5, all[first]), members(0.5, $0)) }
        }
        pairs.append(
            (members(0.5, .statistics), members(0.5, .statistics, key: "another key for the tests"))
        )
        for (first, second) in pairs {
            let count = Double(first.intersection(second).count)
            #expect(abs(count - 2_500) < 5 * (10_000 * 0.25 * 0.75).squareRoot(), "\(count)")
        }
    }

    /// Python's hmac and hashlib have nothing in common with this code.
    @Test func thePositionIsThatOfPythonsHMAC() throws {
        let people = [
            "", "a", "0f8fad5b-d9cb-469f-a165-70867728950e", "Zoë / 🚲",
            String(repeating: "x", count: 300),
        ]
        let keys = [Self.key, String(repeating: "long ", count: 40)]
        let script = """
            import hashlib, hmac, json, sys
            for key, feature, person in json.load(sys.stdin):
                code = hmac.new(key.encode(), f"{feature}/{person}".encode(), hashlib.sha256).digest()
                print(int.from_bytes(code[:8], "big") >> 11)
            """
        let asked = keys.flatMap { key in
            Feature.allCases.flatMap { feature in people.map { [key, feature.rawValue, $0] } }
        }
        let answers = try Python.lines(script, input: try JSONEncoder().encode(asked))
        #expect(answers.count == asked.count)
        for (row, answer) in zip(asked, answers) {
            let feature = try #require(Feature(rawValue: row[1]))
            let position = rollout(0.5, key: row[0]).position(of: row[2], in: feature)
            #expect(try position * 0x1p53 == #require(Double(answer)), "\(row)")
        }
    }

    // MARK: The file

    private func read(_ fields: String) throws -> FeatureRollout {
        try FeatureRollout(
            reading: Array(#"{"format": "bridgecast-features", "version": 1\#(fields)}"#.utf8))
    }

    @Test func phasesSwitchTheirFeaturesAndEachCanDiffer() throws {
        #expect(try read("") == FeatureRollout())
        for phase in 0...Feature.lastPhase {
            let rollout = try read(#", "phase": \#(phase)"#)
            for feature in Feature.allCases {
                #expect(rollout.isOn(feature, for: "a") == (feature.phase <= phase))
            }
        }
        let own = try read(
            #", "phase": 1, "key": "\#(Self.key)", "statistics": false, "learned_pace": 25"#)
        #expect(own.share(of: .statistics) == 0 && own.share(of: .journalPage) == 1)
        #expect(own.share(of: .learnedPace) == 0.25 && own.share(of: .movedAnnouncements) == 0)
        #expect(
            own.text
                == "journal_page on, statistics off, learned_pace 25 %, moved_announcements off")
        #expect(Set(Feature.allCases.map(\.phase)) == [1, 2, 3])
    }

    @Test(arguments: [
        (
            #", "learnt_pace": true"#,
            "field 'learnt_pace' is unknown; the features are journal_page, statistics, learned_pace, moved_announcements"
        ),
        (#", "statistics": 101"#, "statistics: '101' should be true, false or a percentage"),
        (#", "statistics": -1"#, "statistics: '-1' should be"),
        (#", "statistics": "nan""#, "statistics: 'nan' should be"),
        (#", "statistics": [1]"#, "not valid JSON there"),
        (#", "statistics": true, "statistics": false"#, "field 'statistics' is there twice"),
        (#", "statistics": 50"#, "key: a percentage needs a key of 16 characters or more"),
        (#", "key": "short", "statistics": 50"#, "key: a percentage needs a key"),
        (#", "phase": 4"#, "phase: '4' should be 0 to 3"),
    ])
    func aWrongFileIsRefused(fields: String, problem: String) {
        let error = #expect(throws: DocumentProblem.self) { _ = try read(fields) }
        #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
    }

    // MARK: What they switch

    private func journal(
        _ rollout: FeatureRollout?, of person: String?, _ url: URL
    ) throws -> JourneyStore {
        try JourneyStore(url, .writing, features: PersonFeatures(rollout, of: person))
    }

    @Test func learningAndAnnouncementsFollowTheirSwitches() throws {
        try withJournalFolder { folder in
            let url = folder.appendingPathComponent("journeys.sqlite")
            let store = try journal(nil, of: nil, url)
            defer { store.close() }
            var consent = JournalSettingsChange()
            consent.keepsHistory = true
            _ = try store.change(consent)
            try store.add(journey("a", at: testNow.adding(minutes: -60)), now: testNow)
            #expect(try store.learnableJourneys().journeys.count == 1 && store.announcesMoves())
            var some = FeatureRollout()
            some.key = Self.key
            some.shares = [.learnedPace: 0.5, .movedAnnouncements: 0.5]
            var seen: Set<[Bool]> = []
            for person in Self.people.prefix(40) {
                let store = try journal(some, of: person, url)
                defer { store.close() }
                let learnable = try store.learnableJourneys()
                let isIn = some.isOn(.learnedPace, for: person)
                #expect(learnable.obstacle == (isIn ? nil : .featureIsOff))
                #expect(learnable.journeys.count == (isIn ? 1 : 0))
                #expect(try store.announcesMoves() == some.isOn(.movedAnnouncements, for: person))
                seen.insert([isIn, try store.announcesMoves()])
            }
            #expect(seen.count == 4)
        }
    }

    /// On one's own machine a journal stands for its person: always the same, and unlike others.
    @Test func theOwnerOfAJournalIsTheSamePersonEveryTime() throws {
        try withJournalFolder { folder in
            var some = FeatureRollout()
            some.key = Self.key
            some.shares = [.statistics: 0.5]
            var results: [Bool] = []
            for number in 0..<24 {
                let url = folder.appendingPathComponent("\(number).sqlite")
                let answers = try (0..<2).map { _ in
                    let store = try journal(some, of: nil, url)
                    defer { store.close() }
                    return try store.isOn(.statistics)
                }
                #expect(answers[0] == answers[1])
                results.append(answers[0])
            }
            #expect(Set(results).count == 2)
        }
    }
}

/// The standard library of Python as a reference.
enum Python {
    /// The lines that a script prints.
    static func lines(_ script: String, input: Data) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        let (given, output) = (Pipe(), Pipe())
        process.standardInput = given
        process.standardOutput = output
        try process.run()
        try given.fileHandleForWriting.write(contentsOf: input)
        try given.fileHandleForWriting.close()
        let text = String(
            decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map(String.init)
    }
}
