// The directions of a path: steps, names, lines, routes.
import BridgecastCore
import Foundation
import Testing

@testable import BridgecastRoads

@Suite struct DirectionTests {
    /// North over a drawbridge, right into a street, by a ramp onto another.
    private let town: RoadNetwork = {
        var town = TownBuilder()
        town.road("15th Ave W", [(0, 0), (0, 500), (0, 1_000)], .primary)
        town.bridge(
            "Ballard Bridge", street: "15th Ave W", drawbridge: "Ballard", [(0, 1_000), (0, 1_200)])
        town.road("15th Ave NW", [(0, 1_200), (0, 2_000), (0, 2_600)], .primary)
        // A turning lane of 40 m, then the street.
        town.road(
            "", [(0, 2_000), (28, 2_028)], .primary, flags: [.link, .noStopping], isOneWay: true)
        town.road("NW Market St", [(28, 2_028), (900, 2_028)], .secondary)
        town.road(
            "", [(900, 2_028), (1_000, 2_200)], .primary, flags: [.link, .noStopping],
            isOneWay: true)
        town.road(
            "Freeway", [(1_000, 2_200), (1_000, 4_000)], .motorway, flags: .noStopping,
            isOneWay: true)
        town.road("Back St", [(0, 2_600), (-400, 2_200)], via: [(-300, 2_600)])
        town.road("", [(-400, 2_200), (-800, 2_200)])
        return town.network()
    }()

    private var whole: Path {
        town.path(
            [
                (0, 0), (0, 500), (0, 1_000), (0, 1_200), (0, 2_000), (28, 2_028), (900, 2_028),
                (1_000, 2_200), (1_000, 4_000),
            ], from: 0.5, to: 0.5)
    }

    @Test func `roads are steps and bridges are named`() {
        let steps = whole.directions(on: town)
        #expect(
            steps.map(\.name) == [
                "15th Ave W", "Ballard Bridge", "15th Ave NW", "NW Market St", "ramp to Freeway",
                "Freeway",
                "Freeway",
            ])
        #expect(
            steps.map(\.manoeuvre) == [
                .start, .straight, .straight, .right, .ramp, .slightLeft, .arrive,
            ])
        #expect(steps.map(\.crossing) == [nil, 0, nil, nil, nil, nil, nil])
        let metres = [750, 200, 800, 911.6, 199, 900, 0]
        for (step, metres) in zip(steps, metres) { #expect(abs(step.metres - metres) < 3) }
        #expect(abs(steps.reduce(0) { $0 + $1.metres } - whole.metres) < 1e-6)
        #expect(abs(steps.reduce(0) { $0 + $1.minutes } - whole.minutes) < 1e-9)
        #expect(steps[0].point.metres(to: TownBuilder.point(0, 250)) < 1)
        #expect(steps[3].point.metres(to: TownBuilder.point(0, 2_000)) < 1)
        #expect(steps[6].point.metres(to: TownBuilder.point(1_000, 3_100)) < 1)
    }

    @Test func `turns depend on their angle`() {
        let back = town.path([(0, 2_000), (0, 2_600), (-400, 2_200), (-800, 2_200)])
        #expect(
            back.directions(on: town).map(\.manoeuvre) == [.start, .left, .right, .arrive])
        #expect(back.directions(on: town)[2].name == "unnamed road")
        let names: [(Double, Manoeuvre)] = [
            (0, .straight), (-19, .straight), (30, .slightRight), (-30, .slightLeft), (90, .right),
            (-90, .left), (140, .sharpRight), (-140, .sharpLeft), (180, .uTurn), (-178, .uTurn),
        ]
        for (degrees, manoeuvre) in names { #expect(Manoeuvre(turning: degrees) == manoeuvre) }
        let around = town.path([(0, 2_600), (0, 2_000), (0, 2_600)])
        #expect(around.directions(on: town).count == 2)
    }

    @Test func `short connections are not steps`() {
        var town = TownBuilder()
        town.road("Oak St", [(0, 0), (500, 0)])
        town.road("Wide Ave", [(500, 0), (520, 0)])
        town.road("Oak St", [(520, 0), (900, 0)])
        town.road("", [(900, 0), (930, 0)])
        let network = town.network()
        let steps = network.path([(0, 0), (500, 0), (520, 0), (900, 0), (930, 0)])
            .directions(on: network)
        #expect(steps.map(\.name) == ["Oak St", "Oak St"])
        #expect(abs(steps[0].metres - 930) < 2)
        // A way that is nothing but short is reported all the same.
        let short = network.path([(900, 0), (930, 0)]).directions(on: network)
        #expect(short.map(\.name) == ["unnamed road", "unnamed road"])
        #expect(Path(pieces: []).directions(on: network).isEmpty)
    }

    @Test func `lanes and roads that are only passed are not steps`() {
        var town = TownBuilder()
        town.road("Wide Way", [(0, 0), (0, 400)], .primary)
        town.road("", [(0, 400), (30, 600)], .primary, flags: .link)
        town.road("", [(30, 600), (30, 640)], .primary)
        town.road("Wide Way", [(30, 640), (30, 900)], .primary)
        town.road("Myers Way", [(30, 900), (66, 900)])
        town.road("Far St", [(66, 900), (66, 1_500)])
        let network = town.network()
        let steps = network.path(
            [(0, 0), (0, 400), (30, 600), (30, 640), (30, 900), (66, 900), (66, 1_500)]
        ).directions(on: network)
        #expect(steps.map(\.name) == ["Wide Way", "Far St", "Far St"])
    }

    @Test func `a bridge is one step with its ramps of the same name`() {
        var town = TownBuilder()
        town.road("Low St", [(0, 0), (0, 400)])
        town.road("High Bridge", [(0, 400), (0, 600)])
        town.bridge(
            "High Bridge", street: "High Bridge", drawbridge: "Fremont", [(0, 600), (0, 800)])
        town.road("High Bridge", [(0, 800), (0, 900)])
        town.road("Plain St", [(0, 900), (10, 900)])
        town.road("Up St", [(10, 900), (10, 1_500)])
        let network = town.network()
        let path = network.path(
            [(0, 0), (0, 400), (0, 600), (0, 800), (0, 900), (10, 900), (10, 1_500)])
        let steps = path.directions(on: network)
        #expect(steps.map(\.name) == ["Low St", "High Bridge", "Up St", "Up St"])
        #expect(abs(steps[1].metres - 500) < 1 && steps[1].crossing == 0)
        #expect(steps[2].manoeuvre == .straight)  // Ten metres of another street are no turn.
        // It is met in the middle of the span all the same.
        let route = path.route(on: network, id: "", origin: "", destination: "", mode: .car)
        guard case .travel(let first)? = route.steps.first else {
            Issue.record("no travel first")
            return
        }
        #expect(abs(first.meanMinutes - 700.0 / 600) < 0.01)
    }

    @Test func routesMeetDrawbridgesInTheirMiddle() {
        let planned = PlannedRoute(whole, on: town, from: "A", to: "B", mode: .car)
        #expect(planned.path == whole)
        #expect(planned.route.id == "Ballard Bridge")
        #expect(planned.route.name == "15th Ave W, Ballard Bridge, NW Market St, Freeway")
        #expect(planned.route.crossings.map { BridgeCatalogue[$0].name } == ["Ballard"])
        #expect(abs(planned.route.meanTravelMinutes - whole.minutes) < 1e-9)
        guard case .travel(let first)? = planned.route.steps.first else {
            Issue.record("no travel first")
            return
        }
        #expect(abs(first.meanMinutes - 850.0 / 600) < 0.01)
        // One street under the names of two parts of the city is one.
        var long = TownBuilder()
        long.road("NW 80th St", [(-700, 0), (0, 0)])
        long.road("N 80th St", [(0, 0), (1_000, 0)])
        long.road("Elm Ave", [(1_000, 0), (1_000, 300)])
        let network = long.network()
        let along = network.path([(-700, 0), (0, 0), (1_000, 0), (1_000, 300)])
        #expect(along.name(on: network) == "N 80th St")
        let short = town.path([(0, 500), (0, 1_000)], from: 0.5)
        #expect(short.name(on: town) == "15th Ave W")
    }

    @Test func linesAreCutAtBothEndsAndFollowBends() {
        let line = town.path([(-800, 2_200), (-400, 2_200), (0, 2_600)], from: 0.25, to: 0.9)
            .line(on: town)
        #expect(line.count == 4)
        #expect(line[0].metres(to: TownBuilder.point(-700, 2_200)) < 1)
        #expect(line[2].metres(to: TownBuilder.point(-300, 2_600)) < 1)
        let metres = zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
        #expect(abs(metres - (300 + 0.9 * (412.3 + 300))) < 2)
        let all = whole.line(on: town)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 != $1 })
        let length = zip(all, all.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
        #expect(abs(length - whole.metres) < 1)
    }

    @Test func `features have properties and attribution`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let path = town.path([(0, 1_000), (0, 1_200)], from: 0.5)
        let text = String(decoding: try encoder.encode(path.geoJSON(on: town)), as: UTF8.self)
        let line = path.line(on: town).map { "[\($0.longitude),\($0.latitude)]" }
        #expect(text.hasPrefix(#"{"geometry":{"coordinates":[[-122.3,47.60989"#))
        #expect(line.count == 2)
        #expect(
            text.hasSuffix(
                #""type":"LineString"},"properties":{"attribution":"© Surveyors","crossings":["Ballard Bridge"],"#
                    + #""metres":100,"minutes":0.167,"name":"Ballard Bridge"},"type":"Feature"}"#))
    }

    @Test func `polylines round-trip to their precision`() {
        let example = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]
            .map { GeoPoint(latitude: $0.0, longitude: $0.1) }
        #expect(RoadPolyline.encode(example) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
        #expect(RoadPolyline.encode([], precision: .six) == "")
        for precision in RoadPolyline.Precision.allCases {
            let line = whole.line(on: town)
            let read = decode(RoadPolyline.encode(line, precision: precision), precision)
            #expect(read.count == line.count)
            let most = precision == .five ? 0.51e-5 : 0.51e-6
            for (a, b) in zip(read, line) {
                #expect(
                    abs(a.latitude - b.latitude) < most && abs(a.longitude - b.longitude) < most)
            }
        }
    }

    private func decode(_ text: String, _ precision: RoadPolyline.Precision) -> [GeoPoint] {
        var numbers: [Int] = []
        var value = 0
        var shift = 0
        for byte in text.utf8 {
            value |= Int((byte - 63) & 31) << shift
            shift += 5
            guard byte - 63 < 32 else { continue }
            numbers.append(value & 1 == 1 ? ~(value >> 1) : value >> 1)
            value = 0
            shift = 0
        }
        let scale = precision == .five ? 1e5 : 1e6
        var latitude = 0
        var longitude = 0
        return stride(from: 0, to: numbers.count - 1, by: 2).map { place in
            latitude += numbers[place]
            longitude += numbers[place + 1]
            return GeoPoint(
                latitude: Double(latitude) / scale, longitude: Double(longitude) / scale)
        }
    }
}
