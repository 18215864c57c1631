// A law of lengths that numpy can follow; for tests of the law and of rows that rest on it.
import Testing

@testable import BridgecastCore

/// A law with round numbers: a hazard that rises and falls, bridges that differ, covariates that count.
enum RoundLaw {
    static let parameters: [Float] = {
        let base: [Float] = [-4, -3, -2, -1.5, -1, -0.75, -0.5, -0.5, -0.75, -1, -1.5, -2]
        let bridges = (0..<49).map { Float($0 % 5 - 2) / 8 }
        let known: [Float] = [-0.5, -0.25, 0.5, 0.25, -0.125, -0.25, -0.5, -0.5, 0.125, -0.25]
        return base + bridges + known + Array(repeating: 1.5, count: 7)
            + Array(repeating: 0.0625, count: 7)
    }()

    static func law() throws -> LengthLaw { try #require(LengthLaw(parameters)) }
}
