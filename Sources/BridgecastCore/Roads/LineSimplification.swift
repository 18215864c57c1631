// Lines with fewer points that look the same at a scale; for pictures of the map.

/// Leaves points out that nobody would miss.
package enum LineSimplification {
    /// A line of which no left-out point lies farther than so many metres from what is left.
    ///
    /// Both ends stay; a ring stays closed. The method is that of Douglas and Peucker (1973).
    /// - Complexity: O(n log n) as a rule, O(n²) at worst.
    package static func simplified(_ line: [GeoPoint], metres: Double) -> [GeoPoint] {
        guard line.count > 2 else { return line }
        let plane = line.map(LocalPlane.init)
        var isKept = line.map { _ in false }
        (isKept[0], isKept[line.count - 1]) = (true, true)
        var open = [0..<line.count - 1]
        if line.first == line.last {
            // A ring has no two ends: the point farthest from the first is the other one.
            let far =
                line.indices.max { plane[0].metres(to: plane[$0]) < plane[0].metres(to: plane[$1]) }
                ?? 0
            isKept[far] = true
            open = [0..<far, far..<line.count - 1]
        }
        while let part = open.popLast() {
            var (worst, place) = (metres, part.lowerBound)
            for index in part.dropFirst() {
                let away = plane[index].projected(
                    on: plane[part.lowerBound], plane[part.upperBound]
                ).metres
                if away > worst { (worst, place) = (away, index) }
            }
            guard place > part.lowerBound else { continue }
            isKept[place] = true
            open += [part.lowerBound..<place, place..<part.upperBound]
        }
        return line.indices.filter { isKept[$0] }.map { line[$0] }
    }

    /// The longer side of the box around a line, metres.
    package static func extent(_ line: [GeoPoint]) -> Double {
        let plane = line.map(LocalPlane.init)
        let (x, y) = (plane.map(\.x), plane.map(\.y))
        guard let west = x.min(), let east = x.max(), let south = y.min(), let north = y.max()
        else {
            return 0
        }
        return max(east - west, north - south)
    }
}

extension LocalPlane {
    fileprivate func metres(to other: LocalPlane) -> Double {
        ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
    }
}
