// Memory that is about to be filled: its pages are asked for at once; used where models are read and packed.
private import Glibc

/// Large pieces of memory before they are first written.
enum FreshMemory {
    /// Below so many bytes the question costs more than it saves.
    private static let leastBytes = 1 << 16
    /// MADV_POPULATE_WRITE of Linux 5.14; what the memory holds stays as it is.
    private static let populate: Int32 = 23

    /// Asks the system for all pages of some memory, which otherwise come one by one, at about a
    /// microsecond each.
    ///
    /// A system that does not know the question changes nothing.
    static func prepare(_ memory: UnsafeMutableRawBufferPointer) {
        guard memory.count >= leastBytes, let base = memory.baseAddress else { return }
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let before = Int(bitPattern: base) % page
        // Safe: the pages that hold the memory exist, and no byte of them changes.
        _ = unsafe madvise(base - before, memory.count + before, populate)
    }
}
