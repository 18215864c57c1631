// How many random cases a fuzz test tries, and from which seed: tools/checks/fuzz says, or the test itself.
import Foundation

/// The cases of a fuzz test, divided into shares that run side by side.
///
/// Each share has a seed of its own; they are as many on every machine, so that the cases are the same everywhere.
package struct FuzzRun: Sendable {
    /// BRIDGECAST_FUZZ_CASES, in whole shares.
    package let cases: Int
    /// BRIDGECAST_FUZZ_SEED.
    package let seed: Int
    /// Whether the default cases were asked for.
    package let isUsual: Bool

    private static let shares = 20

    /// A run of `usual` cases, unless the environment sets their number.
    package init(usually usual: Int) {
        func setting(_ name: String, or usual: Int) -> Int {
            ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? usual
        }
        let wanted = setting("BRIDGECAST_FUZZ_CASES", or: usual)
        cases = wanted / Self.shares * Self.shares
        seed = setting("BRIDGECAST_FUZZ_SEED", or: 20_261_121)
        isUsual = wanted == usual
    }

    /// The results of the shares.
    ///
    /// - Parameter share: Tries `cases` cases, drawn from a seed.
    package func results<Tally: Sendable>(
        _ share: @escaping @Sendable (_ cases: Int, _ seed: UInt64) -> Tally
    ) async -> [Tally] {
        await withTaskGroup(of: Tally.self) { [cases, seed] group in
            for number in 0..<Self.shares {
                group.addTask {
                    share(
                        cases / Self.shares, UInt64(truncatingIfNeeded: seed &* 1_000 &+ number))
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
