// Our own form of routes read from bytes: the same routes as the decoder's, or its words for what is wrong.
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct OwnRoutesReaderTests {
    @Test func goodDocumentsNeedNoDecoder() throws {
        for text in OwnRoutesText.good {
            let bytes = Array(text.utf8)
            let found = OwnRoutesReader.document(bytes.span)
            let document = try #require(found, "\(text)")
            let routes = try document.checkedRoutes()
            #expect(routes == (try RoutesFile.decodedRoutes(Data(text.utf8))))
            #expect(try CandidateFile.candidates(Data(text.utf8), mode: .bike).routes == routes)
            #expect(try CandidateFile.read(Data(text.utf8), mode: .bike).routes == routes)
        }
    }

    @Test func whatIsUnusualIsLeftToTheDecoder() {
        let route =
            #"{"id":"a","name":"A","origin":"x","destination":"y","steps":[{"minutes":1}]}"#
        let odd = [
            "", "[]", "{}", #"{"routes":null}"#, #"{"routes":[\#(route)]} x"#,
            #"{"routes":[\#(route)],"code":"Ok"}"#, #"{"routes":[\#(route)],"routes":[]}"#,
            #"{"routes":[\#(route),]}"#, #"{"rout\u0065s":[\#(route)]}"#,
            #"{"routes":[\#(route.replacingOccurrences(of: "1", with: "01"))]}"#,
            #"{"routes":[\#(route.replacingOccurrences(of: "1", with: "1e999"))]}"#,
            #"{"routes":[\#(route.replacingOccurrences(of: "1", with: "\"1\""))]}"#,
            #"{"routes":[\#(route.replacingOccurrences(of: "steps", with: "legs"))]}"#,
            #"{"routes":[\#(route.replacingOccurrences(of: "\"A\"", with: "\"\\ud800\""))]}"#,
        ]
        for text in odd {
            let bytes = Array(text.utf8)
            let isRead = OwnRoutesReader.document(bytes.span) != nil
            #expect(!isRead, "\(text)")
        }
    }

    /// Whatever the bytes: what the reader makes of them is what the decoder alone makes of them.
    @Test func anyBytesMeanTheSameToBothReaders() async {
        let fuzz = FuzzRun(usually: 20_000)
        let shares = await fuzz.results(Self.run)
        let direct = shares.reduce(0) { $0 + $1.direct }
        let refused = shares.reduce(0) { $0 + $1.refused }
        #expect(direct > fuzz.cases / 10 && refused > fuzz.cases / 10)
        if !fuzz.isUsual {
            print(
                "\(fuzz.cases) from seed \(fuzz.seed): \(direct) without the decoder, \(refused) refused"
            )
        }
    }

    private static func run(
        _ cases: Int, _ seed: UInt64
    ) -> (direct: Int, refused: Int) {
        var random = SeededGenerator(seed: seed)
        var (direct, refused) = (0, 0)
        for round in 0..<cases {
            let bytes = OwnRoutesText.mutated(&random)
            let name: Comment =
                "seed \(seed), case \(round): \(String(decoding: bytes, as: UTF8.self))"
            if OwnRoutesReader.document(bytes.span) != nil { direct += 1 }
            let data = Data(bytes)
            let asCandidates = outcome { () throws(DocumentProblem) in
                try CandidateFile.candidates(data, mode: .car).routes
            }
            let decoded = outcome { () throws(DocumentProblem) in
                try CandidateFile.decodedCandidates(data, mode: .car).routes
            }
            #expect(asCandidates == decoded, name)
            let asFile = outcome { () throws(DocumentProblem) in
                do throws(DocumentError) {
                    return try RoutesFile.routes(data, path: "f")
                } catch {
                    throw error.problem
                }
            }
            #expect(
                asFile
                    == outcome { () throws(DocumentProblem) in try RoutesFile.decodedRoutes(data) },
                name)
            if case .failure = asFile { refused += 1 }
        }
        return (direct, refused)
    }

    private static func outcome(
        _ read: () throws(DocumentProblem) -> [Route]
    ) -> Result<[Route], DocumentProblem> {
        Result { () throws(DocumentProblem) in try read() }
    }

    /// To the last bit; what the reader leaves to the decoder is no number, or next to nothing.
    @Test func numbersAreTheDecodersNumbers() throws {
        var random = SeededGenerator(seed: 20_261_123)
        for _ in 0..<20_000 {
            let text = OwnRoutesText.number(&random)
            let bytes = Array(text.utf8)
            var cursor = JSONCursor(of: bytes.span)
            let number = try? cursor.decimal(bytes.span)
            let decoded = try? JSONDecoder().decode([Double].self, from: Data("[\(text)]".utf8))
            guard let number, cursor.position == bytes.count else {
                #expect(decoded?.first?.isNormal != true, "\(text)")
                continue
            }
            #expect(number.bitPattern == decoded?.first?.bitPattern, "\(text)")
        }
    }

    /// Run with BRIDGECAST_READING_TIMES=1; says how long a candidate takes.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["BRIDGECAST_READING_TIMES"] != nil))
    func aCandidateTakesSoLong() throws {
        for count in [100, 10_000] {
            let data = Data(OwnRoutesText.many(count).utf8)
            let clock = ContinuousClock()
            func time(_ rounds: Int, _ body: () throws -> Void) rethrows -> String {
                var times: [Duration] = []
                for _ in 0..<rounds { times.append(try clock.measure(body)) }
                return "\(times.sorted()[rounds / 2] / count)"
            }
            let parsed = time(30) { _ = OwnRoutesReader.document(data.span) }
            let direct = try time(30) { _ = try CandidateFile.candidates(data, mode: .car) }
            let decoded = try time(3) { _ = try CandidateFile.decodedCandidates(data, mode: .car) }
            print(
                "\(count) candidates, \(data.count) bytes: \(parsed) each parsed, \(direct) read, "
                    + "\(decoded) by the decoder")
        }
    }
}
