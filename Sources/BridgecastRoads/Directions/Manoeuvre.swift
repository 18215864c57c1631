// What one does where a step of directions begins.

/// What one does where a step begins.
public enum Manoeuvre: String, Sendable, Codable, CaseIterable {
    case start, straight, slightLeft, left, sharpLeft, slightRight, right, sharpRight, uTurn
    /// Onto a ramp, whichever way it leads.
    case ramp
    case arrive

    /// What a turn is called.
    ///
    /// - Parameter degrees: How far one turns, clockwise, -180...180.
    init(turning degrees: Double) {
        let isLeft = degrees < 0
        self =
            switch abs(degrees) {
            case ..<20: .straight
            case ..<50: isLeft ? .slightLeft : .slightRight
            case ..<125: isLeft ? .left : .right
            case ..<165: isLeft ? .sharpLeft : .sharpRight
            default: .uTurn
            }
    }
}
