// Lines on the ground: lengths, places, headings and nearest points, anywhere on earth.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastTransit

@Suite("Lines of shapes")
struct ShapeLineTests {
    private let ground = Ground()

    @Test("lengths are those of the sphere, near a pole and across 180 degrees")
    func lengths() throws {
        let quarter = try #require(
            ShapeLine((0...90).map { GeoPoint(latitude: 0, longitude: Double($0)) }))
        #expect(abs(quarter.length - 6_371_009 * .pi / 2) < 1)
        let north = try #require(
            ShapeLine([
                GeoPoint(latitude: 89, longitude: 10), GeoPoint(latitude: 89.5, longitude: 10),
            ]))
        #expect(abs(north.length - 6_371_009 * .pi / 360) < 0.01)
        let line = try #require(
            ShapeLine([
                GeoPoint(latitude: -17, longitude: 179.99),
                GeoPoint(latitude: -17, longitude: -179.99),
            ]))
        #expect(line.length > 2_100 && line.length < 2_140)
        #expect(abs(line.point(atMetres: line.length).longitude + 179.99) < 1e-9)
        #expect(abs(line.heading(atMetres: 5) - 90) < 0.01)
        for longitude in [179.995, -179.995] {
            let near = line.nearest(
                to: GeoPoint(latitude: -17.0005, longitude: longitude), within: 0...line.length)
            #expect(abs(near.offMetres - 55.6) < 0.2)
            #expect(
                abs(near.metres - line.length * (longitude > 0 ? 0.25 : 0.75)) < 1)
        }
    }

    @Test("one distinct point makes no line")
    func singlePoint() {
        #expect(ShapeLine([]) == nil)
        #expect(ShapeLine([ground.point(0, 0)]) == nil)
        #expect(ShapeLine([ground.point(0, 0), ground.point(0, 0)]) == nil)
    }

    @Test("points and headings with repeated points and beyond the ends")
    func alongTheLine() throws {
        let corners = [(0.0, 0.0), (0, 100), (0, 100), (200, 100), (200, 100)].map(ground.point)
        let line = try #require(ShapeLine(corners))
        #expect(abs(line.length - 300) < 0.01)
        #expect(abs(line.heading(atMetres: -5)) < 0.01)
        #expect(abs(line.heading(atMetres: 99)) < 0.01)
        #expect(abs(line.heading(atMetres: 101) - 90) < 0.01)
        #expect(abs(line.heading(atMetres: 999) - 90) < 0.01)
        #expect(line.point(atMetres: 200).metres(to: ground.point(100, 100)) < 0.01)
        #expect(line.point(atMetres: -1).metres(to: corners[0]) < 0.01)
        #expect(line.point(atMetres: 1e9).metres(to: corners[4]) < 0.01)
        #expect(abs(line.metres(atPosition: 2.5) - 200) < 0.01)
        #expect(line.metres(atPosition: -3) == 0)
        #expect(line.metres(atPosition: 99) == line.length)
    }

    @Test("a line with a repeated last point is approached at its end")
    func doubledEnd() throws {
        let line = try #require(
            ShapeLine([(0, 0), (1000, 0), (1000, 0)].map(ground.point)))
        let found = line.approaches(to: ground.point(1040, 0), within: 100)
        #expect(found.map { $0.metres.rounded() } == [1000])
        #expect(found.map { $0.offMetres.rounded() } == [40])
    }

    @Test("headings are below 360 degrees")
    func headings() {
        let start = GeoPoint(latitude: 47, longitude: 0)
        let north = ShapeLine.heading(
            from: start, to: GeoPoint(latitude: 48, longitude: -1e-300))
        #expect(north == 0)
        let west = ShapeLine.heading(from: start, to: GeoPoint(latitude: 47, longitude: -1))
        #expect(abs(west - 270) < 1e-9)
    }

    @Test("every pass near a point is an approach, and a bend is one")
    func approaches() throws {
        // Out to the east, back to the west 40 m from it.
        let line = try #require(
            ShapeLine([(0, 0), (1000, 0), (1000, 40), (0, 40)].map(ground.point)))
        let found = line.approaches(to: ground.point(300, 10), within: 100)
        #expect(found.count == 2)
        #expect(abs(found[0].metres - 300) < 0.1 && abs(found[0].offMetres - 10) < 0.1)
        #expect(abs(found[1].metres - 1740) < 0.1 && abs(found[1].offMetres - 30) < 0.1)
        #expect(line.approaches(to: ground.point(300, 10), within: 20).count == 1)
        #expect(line.approaches(to: ground.point(300, 900), within: 100).isEmpty)
        // Outside a bend the corner is the nearest place of both its pieces, and counts once.
        let bend = line.approaches(to: ground.point(1030, -30), within: 100)
        #expect(bend.map { $0.metres.rounded() } == [1000])
        // The ends are approaches where the line begins and ends.
        #expect(
            line.approaches(to: ground.point(-20, 0), within: 100).map { $0.metres.rounded() }
                == [0, 2040])
    }

    @Test("approaches of random lines agree with a search of every metre")
    func approachesAgainstSlowSearch() throws {
        var random = SeededGenerator(seed: 21)
        for _ in 0..<40 {
            let points = (0..<60).map { _ in
                ground.point(
                    .random(in: 0...800, using: &random), .random(in: 0...800, using: &random))
            }
            let line = try #require(ShapeLine(points))
            let point = ground.point(
                .random(in: 0...800, using: &random), .random(in: 0...800, using: &random))
            let found = line.approaches(to: point, within: 120)
            for approach in found {
                let here = line.point(atMetres: approach.metres).metres(to: point)
                #expect(abs(here - approach.offMetres) < 0.05)
                for step in [-0.02, 0.02] {
                    #expect(
                        line.point(atMetres: approach.metres + step).metres(to: point) > here - 1e-3
                    )
                }
            }
            let steps = Int(line.length)
            let offs = (0...steps).map { line.point(atMetres: Double($0)).metres(to: point) }
            for step in 1..<steps
            where offs[step] < offs[step - 1] && offs[step] < offs[step + 1] && offs[step] < 119 {
                #expect(found.contains { abs($0.metres - Double(step)) < 1.01 })
            }
            let nearest = line.nearest(to: point, within: 0...line.length)
            #expect(abs(nearest.offMetres - (offs.min() ?? 0)) < 0.6)
        }
    }
}
