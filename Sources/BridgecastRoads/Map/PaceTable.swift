// How the pace of roads changes over the day; made by an import, read by the search.

/// Minutes of the clock that pass in a minute of free travel, by kind of day, quarter of an hour and ``PaceGroup``.
///
/// Within a quarter of an hour pace is constant, and a stretch over its end goes on at the next one's: so whoever
/// leaves later arrives later on every road (first in, first out).
package struct PaceTable: Sendable, Equatable {
    /// Quarters of a day.
    package static let slotsPerDay = 96
    package static let slotSeconds = 900.0
    /// The row of a kind of day and a quarter: rows[dayType.rawValue * slotsPerDay + quarter].
    package let rows: [SIMD8<Float>]

    /// The pace of lanes that are closed: nobody who can go elsewhere comes this way.
    package static let closed: Float = 1_000
    package static let range: ClosedRange<Float> = 0.5...closed

    /// - Precondition: Two days of quarters, within `range`.
    package init(rows: [SIMD8<Float>]) {
        precondition(rows.count == 2 * Self.slotsPerDay)
        self.rows = rows
    }

    /// Roads that are always empty.
    package static let free = PaceTable(
        rows: Array(repeating: SIMD8(repeating: 1), count: 2 * slotsPerDay))
}
