// Which bridge a line on the map crosses.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct BridgeDeckTests {
    private func crossings(_ points: [(Double, Double)]) -> [String] {
        BridgeDeck.crossings(of: points.map { GeoPoint(latitude: $0.0, longitude: $0.1) }).map(
            \.deck.name)
    }

    /// A line straight over a bridge in a direction, in pieces of some metres.
    private func line(
        over name: String, bearing: Double, piece: Double, offset: Double = 0
    ) -> [(Double, Double)] {
        let bridge = BridgeCatalogue[Fixtures.bridge(name)]
        let degree = 111_195.0
        return stride(from: -600.0, through: 600, by: piece).map { metres in
            let x = sin(bearing * .pi / 180)
            let y = cos(bearing * .pi / 180)
            let north = metres * y - offset * x
            let east = metres * x + offset * y
            return (
                bridge.latitude + north / degree,
                bridge.longitude + east / degree / cos(47.6 * .pi / 180)
            )
        }
    }

    @Test(arguments: [
        ("Ballard", 0.0), ("Fremont", 352), ("University", 25), ("Montlake", 2),
        ("Lower Spokane St", 90), ("1st Ave South", 5), ("South Park", 3),
    ])
    func everyDrawbridgeIsFoundBothWaysFinelyAndCoarsely(_ example: (String, Double)) {
        for piece in [7.0, 90, 1_200] {
            for offset in [-12.0, 0, 12] {
                let there = line(over: example.0, bearing: example.1, piece: piece, offset: offset)
                #expect(
                    crossings(there) == ["\(example.0) Bridge"], "\(piece) m, \(offset) m aside")
                #expect(crossings(there.reversed()) == ["\(example.0) Bridge"])
            }
        }
    }

    @Test func adjacentBridgesAreDistinguished() {
        // Aurora Avenue, 170 m east of Fremont Bridge; I-5 next to University Bridge.
        #expect(
            crossings([
                (47.6530, -122.3474), (47.6500, -122.34735), (47.6432, -122.3473),
                (47.6400, -122.3465),
            ]) == ["Aurora Bridge"])
        #expect(
            crossings([
                (47.6600, -122.3222), (47.6560, -122.3222), (47.6512, -122.3224),
                (47.6440, -122.3224),
            ]) == ["I-5 Ship Canal Bridge"])
        // The high bridge 70 m south of the swing bridge.
        #expect(
            crossings([(47.5712, -122.3430), (47.5707, -122.3535), (47.5706, -122.3640)]) == [
                "West Seattle Bridge"
            ])
    }

    @Test func passingUnderAlongOrTurningIsNoCrossing() {
        let fremont = BridgeCatalogue[Fixtures.bridge("Fremont")]
        // The Burke-Gilman and Ship Canal trails run under the bridge, along both shores; boats too.
        for latitude in [47.6483, fremont.latitude, 47.6469] {
            #expect(
                crossings([(latitude, -122.3560), (latitude, -122.3497), (latitude, -122.3440)])
                    == [])
        }
        // To the middle and back; and past its end.
        #expect(
            crossings([(47.6500, -122.3497), (fremont.latitude, -122.3497), (47.6500, -122.3497)])
                == [])
        #expect(
            crossings([(47.6520, -122.3498), (47.6489, -122.3498), (47.6482, -122.3440)]) == [])
        #expect(crossings([]) == [] && crossings([(47.65, -122.35)]) == [])
    }

    @Test func thereAndBackAreTwoAndTheCityThreeCrossings() {
        let there = line(over: "Fremont", bearing: 0, piece: 40)
        #expect(crossings(there + there.reversed()) == ["Fremont Bridge", "Fremont Bridge"])
        let canal = line(over: "Ballard", bearing: 180, piece: 60)
        let duwamish = line(over: "1st Ave South", bearing: 180, piece: 60)
        #expect(crossings(canal + duwamish) == ["Ballard Bridge", "1st Ave South Bridge"])
    }
}
