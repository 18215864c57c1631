// How the lines of a source are to be read; tried out by LineReader.

/// A way of reading lines.
///
/// Sources differ in the precision of polylines, some give each point a height, and some put the latitude first.
struct LineReading: Equatable {
    var precision: Int
    /// Numbers of a polyline's point.
    var dimensions = 2
    var isLatitudeFirst = false

    /// What degrees are multiplied by.
    var scale: Double { Polyline.scale(precision: precision) }

    /// The other ways, one thing changed in each.
    ///
    /// - Parameter heights: Whether heights can be told: nothing in a line says that it has them, only its length does.
    func others(heights: Bool) -> [LineReading] {
        var others = [self, self]
        others[0].precision = 11 - precision
        others[1].isLatitudeFirst = true
        guard heights else { return others }
        var other = self
        other.dimensions = 5 - dimensions
        others.insert(other, at: 1)
        return others
    }
}
