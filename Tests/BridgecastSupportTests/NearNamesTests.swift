// Names that a misspelled one may mean.
import BridgecastSupport
import Testing

@Suite struct NearNamesTests {
    private let names = [
        "predict", "depart", "replay", "sync", "evaluate", "history", "trip", "refit",
    ]

    @Test(arguments: [
        ("predcit", ["predict"]), ("Predict", ["predict"]), ("snyc", ["sync"]),
        ("eval", ["evaluate"]), ("relpay", ["replay"]), ("hsitory", ["history"]),
    ])
    func slipsAndBeginningsAreSimilar(_ example: (String, [String])) {
        #expect(NearNames.similar(example.0, to: names, max: 3) == example.1)
    }

    @Test(arguments: ["", "nonsense", "xyz", String(repeating: "x", count: 100_000)])
    func nothingIsSimilarToOtherWords(_ word: String) {
        #expect(NearNames.similar(word, to: names, max: 3).isEmpty)
        #expect(NearNames.nearest(word, of: names, max: 3).count == 3)
    }

    @Test func theNearestComesFirstAndTheRestIsCut() {
        let near = NearNames.similar("trin", to: ["train", "trip", "tripe"], max: 2)
        #expect(near.count == 2 && !near.contains("tripe"), "\(near)")
    }

    @Test(arguments: [
        ("balar", "ballard", 1), ("capital h", "capitol hill", 1), ("ballard", "ballard", 0),
        ("ball", "ballard locks", 0), ("xyz", "", 3), ("", "ballard", 0),
    ])
    func whatIsNotCompleteIsComparedWithBeginnings(_ example: (String, String, Int)) {
        let (text, name, distance) = example
        #expect(editDistance(ofBeginningOf: Array(name.utf8), to: Array(text.utf8)) == distance)
    }
}
