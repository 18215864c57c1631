// Memory without reference counts for the contraction, which spends its time in a few large arrays.

/// An array of plain values that belongs to one owner; the one place of the contraction with unsafe memory.
///
/// Every access is checked against the count.
@safe struct PlainBuffer<Element: BitwiseCopyable>: ~Copyable {
    private var memory: UnsafeMutableBufferPointer<Element>
    private(set) var count: Int

    init(repeating value: Element, count: Int) {
        unsafe memory = .allocate(capacity: max(16, count))
        unsafe memory.initialize(repeating: value)
        self.count = count
    }

    init(filledWith value: Element) {
        self.init(repeating: value, count: 0)
    }

    deinit { unsafe memory.deallocate() }

    subscript(index: Int) -> Element {
        @inline(__always) get {
            precondition(index >= 0 && index < count)
            return unsafe memory[index]
        }
        @inline(__always) set {
            precondition(index >= 0 && index < count)
            unsafe memory[index] = newValue
        }
    }

    @inline(__always) subscript(index: UInt32) -> Element {
        get { self[Int(index)] }
        set { self[Int(index)] = newValue }
    }

    mutating func append(_ value: Element) {
        if unsafe count == memory.count {
            let larger = UnsafeMutableBufferPointer<Element>.allocate(capacity: count * 2)
            unsafe larger.initialize(repeating: value)
            _ = unsafe UnsafeMutableBufferPointer(rebasing: larger[..<count]).update(
                fromContentsOf: UnsafeBufferPointer(memory))
            unsafe memory.deallocate()
            unsafe memory = larger
        }
        count += 1
        self[count - 1] = value
    }

    mutating func removeLast() -> Element {
        let last = self[count - 1]
        count -= 1
        return last
    }

    mutating func removeAll() { count = 0 }
}
