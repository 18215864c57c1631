// Numbers for people: decimals, percent, minutes and seconds.
import Foundation

/// A number with fixed decimals.
func fixed(_ value: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", value)
}

/// A probability in percent: whole numbers, one decimal below ten, and never a plain zero.
func percent(_ value: Double) -> String {
    if value < 0.0005 { return "<0.1 %" }
    return value * 100 < 9.95 ? "\(fixed(value * 100, 1)) %" : "\(fixed(value * 100, 0)) %"
}

/// A duration as minutes and seconds, such as `4:05`.
func minutesAndSeconds(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    let rest = whole % 60
    return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
}
