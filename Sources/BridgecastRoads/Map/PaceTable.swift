/// Minutes of the clock in a minute of free travel, by day, quarter of an hour and ``PaceGroup``.
///
/// Within a quarter pace is constant, and a stretch over its end goes on at the next one's: a car
/// that leaves later arrives later on every road (first in, first out).
package struct PaceTable: Sendable, Equatable {
    package static let slotsPerDay = 96
    package static let slotSeconds = 900.0
    /// The row of a kind of day and a quarter: rows[dayType.rawValue * slotsPerDay + quarter].
    package let rows: [SIMD8<Float>]

    /// The pace of closed lanes: so slow that a path uses them only if there is no other.
    package static let closed: Float = 1_000
    package static let range: ClosedRange<Float> = 0.5...closed

    /// - Precondition: Two days of quarters, each pace in `range`.
    package init(rows: [SIMD8<Float>]) {
        precondition(rows.count == 2 * Self.slotsPerDay)
        self.rows = rows
    }

    /// Roads that are always empty.
    package static let free = PaceTable(
        rows: Array(repeating: SIMD8(repeating: 1), count: 2 * slotsPerDay))
}

/// Roads that share their hourly pace: kinds of road, by where they lead.
public enum PaceGroup: UInt8, Sendable, CaseIterable {
    /// Streets that lead nowhere else.
    case local
    /// Arterials towards the middle of the city, away from it, and across.
    case arterialInbound, arterialOutbound, arterialAcross
    /// Motorways towards the middle of the city, and away from it.
    case freewayInbound, freewayOutbound
    /// Lanes that lead towards the middle at some hours, and away from it at others.
    case expressInbound, expressOutbound
}
