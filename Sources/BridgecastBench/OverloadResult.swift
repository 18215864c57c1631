// What a service answers under a load.

/// How much was served to so many clients.
public struct OverloadResult: Sendable, Encodable {
    /// Clients, as a multiple of those whose requests may run at a time.
    public let times: Int
    /// Requests a second that were served and refused.
    public let served: Double, refused: Double
    /// Median time that a refusal took, microseconds; 0 if there was none.
    public let refusalMicroseconds: Double
}
