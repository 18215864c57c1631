// How a forecast stands to the usual, and which reasons it admits.
@testable import BridgecastCore
import BridgecastTestSupport
import Testing

@Suite struct UsualComparisonTests {
    @Test func aTenthOrHalfAPointIsTheSameAndHalfAsMuchAgainIsFar() {
        func compared(_ chance: Double, _ usual: Double) -> UsualComparison {
            UsualComparison(chance: chance, usual: usual)
        }
        #expect(compared(0.2, 0.2) == .same && compared(0, 0) == .same)
        #expect(compared(0.215, 0.2) == .same && compared(0.2, 0.215) == .same)
        #expect(compared(0.23, 0.2) == .above && compared(0.2, 0.23) == .below)
        #expect(compared(0.299, 0.2) == .above && compared(0.2, 0.299) == .below)
        #expect(compared(0.31, 0.2) == .farAbove && compared(0.2, 0.31) == .farBelow)
        // Of small chances nobody sees a difference, however many times one is the other.
        #expect(compared(0.0001, 0.0049) == .same && compared(0.0049, 0.0001) == .same)
        #expect(compared(0, 0.006) == .farBelow && compared(0.006, 0) == .farAbove)
        #expect(compared(.nan, 0.2) == .same && compared(0.2, .nan) == .same)
    }

    @Test func noReasonIsAdmittedThatPointsTheOtherWay() {
        let bridge = BridgeIndex.fremont
        let more = Reason.busyDay(bridge, openings: 6, usualOpenings: 3)
        let less = Reason.quietDay(bridge, openings: 1, usualOpenings: 4)
        let (near, either) = (
            Reason.usual(bridge, probability: 0.05), Reason.halfHourOnly(bridge)
        )
        func admitted(_ reason: Reason) -> [UsualComparison] {
            UsualComparison.allCases.filter { $0.admits(reason) }
        }
        #expect(admitted(more) == [.same, .above, .farAbove])
        #expect(admitted(less) == [.farBelow, .below, .same])
        #expect(admitted(near) == [.below, .same, .above])
        #expect(admitted(either) == UsualComparison.allCases)
    }
}
