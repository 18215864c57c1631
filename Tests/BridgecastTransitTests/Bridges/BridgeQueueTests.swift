// The queue behind an opening: by deterministic queueing on openings that a test makes, and as a distribution of delay.
import BridgecastCore
import BridgecastTestSupport
import Testing

@testable import BridgecastTransit

struct BridgeQueueTests {
    private static let ten = Fixtures.moment("2026-02-18T10:00:00")

    private static func at(_ seconds: Int) -> Timestamp { ten.adding(seconds: Int64(seconds)) }

    /// Half saturated approaches, and openings at seconds after ten; one without an end is still up.
    private static func knowledge(
        _ openings: [(start: Int, end: Int?)], at seconds: Int
    ) throws -> BridgeKnowledge {
        let now = at(seconds)
        var situation = Situation.unknown(at: now)
        situation[.montlake].recent = openings.reversed().map {
            KnownOpening(start: at($0.start), end: $0.end.map(at))
        }
        let up = openings.last.flatMap { $0.end == nil ? at($0.start) : nil }
        situation[.montlake].state = up.map { .raised(since: $0) } ?? .lowered
        var traffic = TrafficDensity()
        let isSet = traffic.set(0.5, for: .montlake)
        #expect(isSet)
        let table = try ForecastTable(
            issueTime: now, leadsMinutes: [0, 120], modes: [.car]
        ) { _, _, _ in SoundTransitDay.someDelay }
        return BridgeKnowledge(
            table, situation: situation, climatology: RandomModel.climatology, traffic: traffic)
    }

    private static func hold(_ knowledge: BridgeKnowledge, from seconds: Double) -> BridgeHold? {
        knowledge.hold(
            at: .montlake, from: Double(ten.secondsSinceEpoch) + seconds)
    }

    private static func queue(lowered: Int, until: Double) -> BridgeHold {
        .queue(lowered: at(lowered), until: Double(ten.secondsSinceEpoch) + until)
    }

    @Test("Who came a after an opening of length D began is over the bridge after D - (1 - rho) a")
    func oneOpening() throws {
        let knowledge = try Self.knowledge([(0, 300)], at: 400)
        #expect(Self.hold(knowledge, from: -1) == nil)
        #expect(Self.hold(knowledge, from: 0) == Self.queue(lowered: 300, until: 300))
        #expect(Self.hold(knowledge, from: 100) == Self.queue(lowered: 300, until: 350))
        // Behind the opening, into its queue.
        #expect(Self.hold(knowledge, from: 400) == Self.queue(lowered: 300, until: 500))
        #expect(Self.hold(knowledge, from: 599) == Self.queue(lowered: 300, until: 599.5))
        #expect(Self.hold(knowledge, from: 601) == nil)
    }

    @Test("While the bridge is up again the queue of the opening before it stands still")
    func twoOpenings() throws {
        let over = try Self.knowledge([(0, 300), (420, 600)], at: 700)
        #expect(Self.hold(over, from: 200) == Self.queue(lowered: 300, until: 400))
        // It would have been over the bridge at 430, ten seconds after it went up again.
        #expect(Self.hold(over, from: 260) == Self.queue(lowered: 600, until: 610))
        #expect(Self.hold(over, from: 500) == Self.queue(lowered: 600, until: 640))
        let up = try Self.knowledge([(0, 300), (420, nil)], at: 500)
        #expect(Self.hold(up, from: 200) == Self.queue(lowered: 300, until: 400))
        #expect(Self.hold(up, from: 260) == .raised)
        #expect(Self.hold(up, from: 430) == .raised)
    }

    @Test("The beginning of what holds somebody is found without asking who it is")
    func beginnings() throws {
        func beginning(_ openings: [(Int, Int?)], at seconds: Int) throws -> Int? {
            let now = Double(Self.at(seconds).secondsSinceEpoch)
            let knowledge = try Self.knowledge(openings, at: seconds)
            return knowledge.firstHeld(by: .montlake, at: now, isUp: true)
                .map { Int($0) - Int(Self.ten.secondsSinceEpoch) }
        }
        #expect(try beginning([], at: 100) == nil)
        #expect(try beginning([(0, nil)], at: 100) == 0)
        #expect(try beginning([(0, 300)], at: 599) == 0)
        #expect(try beginning([(0, 300)], at: 601) == nil)
        // The queue of the first stood when the bridge went up again.
        #expect(try beginning([(0, 300), (420, nil)], at: 500) == 0)
        #expect(try beginning([(0, 300), (700, nil)], at: 800) == 700)
        #expect(try beginning([(0, 300), (700, 760)], at: 1000) == nil)
    }

    @Test("A delay that is known keeps its mean, from half a minute to 45 minutes")
    func knownDelay() {
        for seconds in stride(from: 30.0, through: 2700, by: 7) {
            let delay = DelayDistribution(aboutSeconds: seconds)
            #expect(abs(delay.expectedSeconds - seconds) < 0.01)
            #expect(delay.probabilityDelayed == 1)
            #expect(delay.probabilities.count { $0 > 0 } <= 2)
        }
        #expect(DelayDistribution(aboutSeconds: 3).expectedSeconds == 30)
        #expect(DelayDistribution(aboutSeconds: 9000).expectedSeconds == 2700)
    }
}
