// Rows found many at a time by every kernel are those that the scanner finds, and nothing beyond the text is read.
@testable import BridgecastData
import BridgecastTestSupport
import Glibc
import Testing

@Suite struct RegularRowsTests {
    private struct Found: Equatable {
        /// Those that are no empty lines.
        var rows: [[String]] = []
        /// Where the first row begins that was not found.
        var end = 0
    }

    private func found(_ kernel: RowKernel, _ bytes: Span<UInt8>, from start: Int) -> Found {
        var rows = RegularRows(kernel)
        rows.find(bytes, in: start..<bytes.count)
        var found = Found(end: start)
        for row in 0..<rows.count {
            found.end = rows.end(of: row)
            guard !rows.isEmptyLine(row, bytes) else { continue }
            var place = rows.start(of: row)
            found.rows.append(
                (0..<rows.fieldCount(of: row)).map { column in
                    let slice = rows.nextField(column, of: row, bytes, start: &place)
                    return RawRecord.text(slice, bytes)
                })
        }
        return found
    }

    /// As many of the scanner's records as were found.
    private func scanned(_ bytes: [UInt8], count: Int) throws -> [[String]] {
        guard !bytes.isEmpty else { return [] }
        var window = TextWindow(TextPart(bytes: bytes, start: 0, digested: 0), path: "text")
        var scanner = CSVScanner()
        return try (0..<count).map { _ in
            guard try scanner.next(&window) == .record else { return ["a defect"] }
            return scanner.fields.map { RawRecord.text($0, window.bytes.span) }
        }
    }

    /// Text of few letters, so that quotes meet separators in every way; mostly regular, so that rows are found.
    private func text(_ length: Int, _ random: inout SeededGenerator) -> [UInt8] {
        let fields = ["", "a", "bc", "é", "\"d,e\"", "\"\"", "\"f\""]
        let ends = [",", ",", "\n", "\r\n"]
        let odd = ["\"", "\r", "\"\"\"", "\"h\ni\"", "j\"k"]
        let rarity = Int.random(in: 3...300, using: &random)
        var bytes: [UInt8] = []
        while bytes.count < length {
            let isOdd = Int.random(in: 0..<rarity, using: &random) == 0
            bytes += Array(((isOdd ? odd : fields).randomElement(using: &random) ?? "").utf8)
            bytes += Array((ends.randomElement(using: &random) ?? "").utf8)
        }
        return Array(bytes.prefix(length))
    }

    @Test func everyKernelFindsTheScannersRows() throws {
        var random = SeededGenerator(seed: 11)
        var (rows, stops) = (0, 0)
        for length in Array(0...200)
            + (0..<400).map({ _ in Int.random(in: 200...9000, using: &random) })
        {
            let text = text(length, &random)
            let plain = found(RowKernel.available[0], text.span, from: 0)
            #expect(try scanned(text, count: plain.rows.count) == plain.rows)
            for kernel in RowKernel.available.dropFirst() {
                #expect(found(kernel, text.span, from: 0) == plain, "\(kernel), \(length) bytes")
            }
            rows += plain.rows.count
            stops += plain.end < length ? 1 : 0
        }
        #expect(rows > 10_000 && stops > 100)
    }

    /// Every length around the vectors' sizes, in texts that begin anywhere.
    @Test func placesAndLengthsDoNotMatter() {
        let row = Array("\"x\",yy,\"\"\r\n".utf8)
        for start in 0..<70 {
            for length in 0..<200 {
                let rows = (0..<length).map { row[$0 % row.count] }
                let bytes = [UInt8](repeating: UInt8(ascii: "\""), count: start) + rows
                for kernel in RowKernel.available {
                    let found = found(kernel, bytes.span, from: start)
                    #expect(found.rows.allSatisfy { $0 == ["x", "yy", ""] })
                    #expect(found.end == start + found.rows.count * row.count)
                    #expect(found.rows.count == length / row.count)
                }
            }
        }
    }

    /// The text ends where memory does: a byte read beyond it would end this program.
    @Test func nothingBeyondTheTextIsRead() throws {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let mapped = unsafe mmap(
            nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let memory = unsafe try #require(mapped)
        defer { unsafe munmap(memory, 2 * page) }
        #expect(unsafe mprotect(memory + page, page, PROT_NONE) == 0)
        let row = Array("\"x\",yy,z\n".utf8)
        for length in 0...300 {
            let text = unsafe UnsafeMutableBufferPointer(
                start: (memory + page - length).assumingMemoryBound(to: UInt8.self), count: length)
            for index in 0..<length { unsafe text[index] = row[index % row.count] }
            let span = unsafe Span(_unsafeElements: UnsafeBufferPointer(text))
            for kernel in RowKernel.available {
                let found = found(kernel, span, from: 0)
                #expect(found.rows.count == length / row.count)
            }
        }
    }
}
