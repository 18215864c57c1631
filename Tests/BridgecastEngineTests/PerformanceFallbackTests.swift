// Why slower kernels are in use, and that nothing is lost by it.
import Testing

@testable import BridgecastEngine

@Suite struct PerformanceFallbackTests {
    @Test func slowerKernelsThanTheBestAreAFallbackThatLosesNothing() throws {
        let all = InstructionSet.allCases
        #expect(PerformanceFallback.found(forced: nil, of: [.scalar]) == .noKernels)
        #expect(PerformanceFallback.found(forced: nil, of: all) == nil)
        #expect(PerformanceFallback.found(forced: .avx512vnni, of: all) == nil)
        let forced = try #require(PerformanceFallback.found(forced: .avx2, of: all))
        #expect(forced == .forced(.avx2, best: .avx512vnni))
        let wrong = PerformanceFallback.ignored(InstructionSetError(name: "avx9"), used: .avx2)
        for fallback in [forced, wrong, .noKernels] {
            #expect(fallback.isMadeGood && fallback.recovery.hasSuffix("."))
        }
        #expect(wrong.description.contains("avx9 is unknown"))
    }
}
