// Which roads slow down together as the day goes on; network files store the raw value.

/// Roads that share their hourly pace: kinds of road, told apart by where they lead.
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
