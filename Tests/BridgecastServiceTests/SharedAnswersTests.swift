import BridgecastCore
import BridgecastTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing
@testable import BridgecastService

/// Counts from many tasks.
private final class Count: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
}

@Suite struct SharedAnswersTests {
    private let noon = Fixtures.timestamp("2026-02-20T12:00")
    private let answers = SharedAnswers(.second)

    private func epoch(_ end: Timestamp, bridges: BridgesSnapshot? = nil) -> SharedAnswers.Epoch {
        SharedAnswers.Epoch(bridges: bridges, vehicles: nil, end: end)
    }

    private func answer(_ text: String) -> ServiceAnswer { ServiceAnswer(.json, Array(text.utf8)) }

    @Test func oneAnswerIsMadeForAllThatAskAtOnce() async throws {
        let made = Count()
        let found = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<32 {
                group.addTask { [answers, epoch = epoch(noon)] in
                    let answer = try await answers.answer("a", in: epoch) {
                        made.add()
                        try await Task.sleep(for: .milliseconds(50))
                        return ServiceAnswer(.json, Array("one".utf8))
                    }
                    return ServiceFixture.bytes(answer)
                }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(made.value == 1)
        #expect(found == [Array("one".utf8)])
        #expect(answers.answer("a", in: epoch(noon)) != nil)
        #expect(answers.answer("b", in: epoch(noon)) == nil)
    }

    @Test func anotherEpochHasAnswersOfItsOwn() async throws {
        _ = try await answers.answer("a", in: epoch(noon)) { answer("one") }
        let state = try await ServiceFixture.state()
        for other in [epoch(noon.adding(seconds: 1)), epoch(noon, bridges: try state.snapshot())] {
            #expect(answers.answer("a", in: other) == nil)
            let made = try await answers.answer("a", in: other) { answer("two") }
            #expect(ServiceFixture.bytes(made) == Array("two".utf8))
        }
        #expect(answers.answer("a", in: epoch(noon)) == nil)
    }

    @Test func anAnswerWithAProblemIsNotKept() async throws {
        let made = try await answers.answer("a", in: epoch(noon)) {
            var wrong = ServiceAnswer(.json, Array("wrong".utf8))
            wrong.status = .badRequest
            return wrong
        }
        #expect(made.status == .badRequest)
        #expect(answers.answer("a", in: epoch(noon)) == nil)
    }

    @Test func aFailureReachesAllThatWaitAndIsNotKept() async throws {
        let problem = Problem(.overloaded, "busy", recovery: "wait")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [answers, epoch = epoch(noon)] in
                    await #expect(throws: Problem.self) {
                        try await answers.answer("a", in: epoch) {
                            try await Task.sleep(for: .milliseconds(20))
                            throw problem
                        }
                    }
                }
            }
        }
        let made = try await answers.answer("a", in: epoch(noon)) { answer("one") }
        #expect(ServiceFixture.bytes(made) == Array("one".utf8))
    }

    @Test func aPeriodEndsAtTheNextMultipleOfItsLength() {
        let period = SharedPeriod(seconds: 20)
        #expect(period.end(at: noon) == noon)
        #expect(period.end(at: noon.adding(seconds: 1)) == noon.adding(seconds: 20))
        #expect(period.end(at: noon.adding(seconds: 20)) == noon.adding(seconds: 20))
        #expect(SharedPeriod.second.end(at: noon.adding(seconds: 7)) == noon.adding(seconds: 7))
        // Before 1970 too.
        let early = Timestamp(secondsSinceEpoch: -15)
        #expect(period.end(at: early) == Timestamp(secondsSinceEpoch: 0))
    }

    @Test(arguments: ["routes", "depart"])
    func clientsShareTheAnswerAboutATripFromNow(resource: String) async throws {
        let state = try await ServiceFixture.state(at: Fixtures.timestamp("2026-02-20T18:02:07"))
        let client = ServiceClient(ServiceResponder(state, try ProxyTrust(state.settings)))
        func ask(_ query: String) async throws -> ServiceReply {
            let uri = "/api/v1/\(resource)?from=Ballard&to=Downtown\(query)"
            return try await client.execute(uri: uri, method: .get)
        }
        let first = try await ask("")
        #expect(first.status == .ok)
        let tag = try #require(first.headers[.eTag])
        #expect(try await ask("").headers[.eTag] == tag)
        #expect(try await ask("&mode=bike").headers[.eTag] != tag)
        // Leaving now is leaving when the period ends, as the answer says.
        let leaving = resource == "routes" ? "18:02:20" : "18:03:00"
        #expect(String(buffer: first.body).contains(#""departure":"2026-02-20T\#(leaving)-08:00""#))
        // A named departure is kept to the second.
        let named = try await ask("&depart=2026-02-20T18:02:13")
        #expect(String(buffer: named.body).contains(#""departure":"2026-02-20T18:02:13-08:00""#))
    }
}
