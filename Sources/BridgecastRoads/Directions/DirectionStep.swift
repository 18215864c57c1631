// One step of directions: a road as far as one follows it; commands and services show them.
public import BridgecastCore

/// A road as far as one follows it, a crossing of water, or the arrival.
public struct DirectionStep: Sendable, Equatable, Codable {
    /// What one does where it begins.
    public let manoeuvre: Manoeuvre
    /// The road or the crossing; "unnamed road" if it has no name; of a ramp where it leads, such as "ramp to I-5"; of
    /// the arrival the road one is on.
    public let name: String
    /// Metres, and minutes at the pace of the hour.
    public let metres, minutes: Double
    /// Index into ``RoadNetwork/crossings``, if it crosses water.
    public let crossing: Int?
    /// Where it begins.
    public let point: GeoPoint
}
