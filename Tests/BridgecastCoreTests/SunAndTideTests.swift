// The tide against another program's, and against general facts about tides; its sines against the C library's.
import Foundation
import Testing
@testable import BridgecastCore

struct TideTests {
    /// Heights that UTide 0.3 gives for the same eight constituents of station 9447130, metres above mean sea level.
    @Test(arguments: [
        (1_509_851_820, -0.086), (1_521_064_800, 0.692), (1_672_158_600, 1.902),
        (1_740_044_700, 0.233), (1_769_904_000, 1.012), (1_771_619_400, -1.273),
        (1_909_396_800, 0.414),
    ])
    func `heights are those of another program`(seconds: Int, metres: Double) {
        let height = Tide(at: Timestamp(secondsSinceEpoch: Int64(seconds))).metres
        #expect(abs(height - metres) < 0.04)
    }

    @Test func `two high waters a lunar day, and the rise is the slope of the height`() {
        let start = Timestamp(secondsSinceEpoch: 1_767_225_600)
        var highWaters: [Double] = []
        for minute in stride(from: 0.0, to: 60 * 1440, by: 5) {
            let time = start.adding(minutes: minute)
            let here = Tide(at: time).metres
            let before = Tide(at: time.adding(minutes: -5)).metres
            let after = Tide(at: time.adding(minutes: 5)).metres
            #expect(abs(here) < 3.5)
            #expect(abs((after - before) * 6 - Tide(at: time).risePerHour) < 0.06)
            let hour =
                Tide(at: time.adding(minutes: 30)).metres
                - Tide(at: time.adding(minutes: -30)).metres
            #expect(abs(hour - Tide(at: time).risePerHour) < 2e-5)
            if here >= before, here > after { highWaters.append(minute / 60) }
        }
        let gaps = zip(highWaters.dropFirst(), highWaters).map { $0 - $1 }
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        #expect(abs(mean - 12.42) < 0.15, "high waters \(mean) h apart")
    }
}

struct SineAndCosineTests {
    @Test func `they are those of the C library over many turns`() {
        var degrees = SIMD8<Double>(repeating: 0)
        for step in 0..<5_000 {
            for lane in 0..<8 { degrees[lane] = Double(step * 8 + lane - 20_000) * 17.317 }
            let (sine, cosine) = sineAndCosine(ofDegrees: degrees)
            for lane in 0..<8 {
                let angle = degrees[lane].truncatingRemainder(dividingBy: 360) * .pi / 180
                #expect(abs(sine[lane] - sin(angle)) < 1e-10, "\(degrees[lane]) degrees")
                #expect(abs(cosine[lane] - cos(angle)) < 1e-10, "\(degrees[lane]) degrees")
            }
        }
    }

    @Test(arguments: [(0.0, 0.0, 1.0), (90, 1, 0), (180, 0, -1), (-90, -1, 0), (540, 0, -1)])
    func `they hold where the halves meet`(degrees: Double, sine: Double, cosine: Double) {
        let found = sineAndCosine(ofDegrees: SIMD8(repeating: degrees))
        #expect(abs(found.sine[3] - sine) < 1e-10 && abs(found.cosine[3] - cosine) < 1e-10)
    }
}
