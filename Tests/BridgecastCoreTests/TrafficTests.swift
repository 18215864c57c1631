// Live traffic as degrees of saturation: the inverse BPR function, volumes against capacity, and how long they count.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct TrafficTests {
    private let fremont = Fixtures.bridge("Fremont")

    @Test func travelTimeIsInvertedThroughTheBPRFunction() throws {
        // t / t0 = 1 + 0.15 x^4, tabled by hand.
        for (ratio, expected) in [(1.0, 0.0), (1.009375, 0.5), (1.06144, 0.8), (1.098415, 0.9)] {
            let measurement = TrafficMeasurement.travelTime(
                seconds: 60 * ratio, freeFlowSeconds: 60)
            let found = try #require(measurement.density(of: fremont))
            #expect(abs(found - expected) < 1e-9)
        }
        // At capacity (1.15) and beyond, the delay formula's own limit holds.
        let jam = TrafficMeasurement.travelTime(seconds: 300, freeFlowSeconds: 60)
        #expect(jam.density(of: fremont) == TrafficProfile.maxDensity)
        let fast = TrafficMeasurement.travelTime(seconds: 50, freeFlowSeconds: 60)
        #expect(fast.density(of: fremont) == 0)
    }

    @Test func volumeIsDividedByTheLanesAtSaturationFlow() throws {
        // Fremont has two lanes each way: 3,800 vehicles an hour.
        let found = TrafficMeasurement.volume(vehiclesPerHour: 1_900).density(of: fremont)
        #expect(abs(try #require(found) - 0.5) < 1e-12)
    }

    @Test(arguments: [
        TrafficMeasurement.travelTime(seconds: 0, freeFlowSeconds: 60),
        .travelTime(seconds: 60, freeFlowSeconds: 0),
        .travelTime(seconds: .nan, freeFlowSeconds: 60),
        .travelTime(seconds: .infinity, freeFlowSeconds: 60), .volume(vehiclesPerHour: -1),
        .volume(vehiclesPerHour: .nan),
    ])
    func measurementsThatCannotBeAreRefused(_ measurement: TrafficMeasurement) {
        var density = TrafficDensity()
        let before = density
        let isTaken = density.set(measurement, for: fremont)
        #expect(!isTaken && density == before)
    }

    @Test func aMeasurementCountsForAQuarterOfAnHour() {
        let fremont = Fixtures.bridge("Fremont")
        let noon = Fixtures.timestamp("2026-02-20T12:00")
        var traffic = LiveTraffic()
        traffic.add([
            TrafficReading(bridge: fremont, measurement: .saturation(0.5), measuredAt: noon)
        ])
        for (minutes, isUsed) in [
            (-10.0, false), (-2, false), (-0.5, true), (0, true), (15, true), (16, false),
        ] {
            let density = traffic.density(of: fremont, at: noon.adding(minutes: minutes))
            #expect((density == 0.5) == isUsed, "\(minutes) min")
        }
    }

    @Test func aMeasurementOverridesTheProfileOfItsBridgeAlone() {
        var density = TrafficDensity()
        let time = Fixtures.timestamp("2026-02-20T17:30")
        let isTaken = density.set(.volume(vehiclesPerHour: 380), for: fremont)
        #expect(isTaken && abs(density.density(of: fremont, at: time) - 0.1) < 1e-12)
        let ballard = Fixtures.bridge("Ballard")
        #expect(
            density.density(of: ballard, at: time)
                == TrafficProfile.density(of: ballard, at: time))
    }
}

@Suite struct LiveTrafficTests {
    private let ballard = Fixtures.bridge("Ballard")
    private let fremont = Fixtures.bridge("Fremont")
    private let noon = Fixtures.timestamp("2026-02-20T12:00")

    @Test func theNewestMeasurementCountsUntilItIsTooOld() throws {
        var traffic = LiveTraffic()
        let old = TrafficReading(
            bridge: fremont, measurement: .saturation(0.2), measuredAt: noon.adding(minutes: -10))
        let new = TrafficReading(bridge: fremont, measurement: .saturation(0.8), measuredAt: noon)
        #expect(traffic.add([new, old]).isEmpty)
        #expect(traffic.density(of: fremont, at: noon) == 0.8)
        #expect(traffic.ageMinutes(of: fremont, at: noon.adding(minutes: 4)) == 4)
        #expect(traffic.density(of: fremont, at: noon.adding(minutes: 15.1)) == nil)
        let profile = TrafficDensity().density(of: fremont, at: noon)
        #expect(
            traffic.densities(at: noon.adding(minutes: 20)).density(of: fremont, at: noon)
                == profile)
        #expect(traffic.densities(at: noon).density(of: fremont, at: noon) == 0.8)
        let nonsense = TrafficReading(
            bridge: ballard, measurement: .volume(vehiclesPerHour: -.infinity), measuredAt: noon)
        #expect(
            traffic.add([nonsense]) == [nonsense] && traffic.density(of: ballard, at: noon) == nil)
    }
}
