// Two cores on one mini-batch: work in halves whose results do not depend on which is done first.
private import Dispatch

/// Divides work for two cores, in halves or in the elements of an array.
enum Halves {
    /// Halves.
    static let count = 2

    /// Half of a range of numbers.
    static func part(_ half: Int, of count: Int) -> Range<Int> {
        half * count / Self.count..<(half + 1) * count / Self.count
    }

    /// Works on the elements at once; returns when all are done.
    static func forEach<Element>(
        _ elements: inout [Element], _ work: @Sendable (inout Element, Int) -> Void
    ) {
        unsafe elements.withUnsafeMutableBufferPointer { elements in
            // Each element is the work of one thread, and all are done when concurrentPerform returns.
            nonisolated(unsafe) let elements = unsafe elements
            unsafe DispatchQueue.concurrentPerform(iterations: elements.count) { index in
                unsafe work(&elements[index], index)
            }
        }
    }

    /// Works on both halves of an array at once.
    static func forEach(
        _ values: inout [Float], _ work: @Sendable (inout MutableSpan<Float>, Range<Int>) -> Void
    ) {
        unsafe values.withUnsafeMutableBufferPointer { values in
            nonisolated(unsafe) let values = unsafe values
            DispatchQueue.concurrentPerform(iterations: count) { half in
                let range = unsafe part(half, of: values.count)
                var span = unsafe UnsafeMutableBufferPointer(rebasing: values[range]).mutableSpan
                work(&span, range)
            }
        }
    }
}
