// Eight sines and cosines at once against the C library's.
import Foundation
import Testing

@testable import BridgecastCore

struct SineAndCosineTests {
    @Test func `they are those of the C library over many turns`() {
        var degrees = SIMD8<Double>(repeating: 0)
        for step in 0..<5_000 {
            for lane in 0..<8 { degrees[lane] = Double(step * 8 + lane - 20_000) * 17.317 }
            let (sine, cosine) = sineAndCosine(ofDegrees: degrees)
            for lane in 0..<8 {
                let angle = degrees[lane].truncatingRemainder(dividingBy: 360) * .pi / 180
                #expect(abs(sine[lane] - sin(angle)) < 1e-10, "\(degrees[lane]) degrees")
                #expect(abs(cosine[lane] - cos(angle)) < 1e-10, "\(degrees[lane]) degrees")
            }
        }
    }

    @Test(arguments: [(0.0, 0.0, 1.0), (90, 1, 0), (180, 0, -1), (-90, -1, 0), (540, 0, -1)])
    func `they hold where the halves meet`(degrees: Double, sine: Double, cosine: Double) {
        let found = sineAndCosine(ofDegrees: SIMD8(repeating: degrees))
        #expect(abs(found.sine[3] - sine) < 1e-10 && abs(found.cosine[3] - cosine) < 1e-10)
    }
}
