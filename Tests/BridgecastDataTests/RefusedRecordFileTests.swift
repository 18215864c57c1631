// Files that are not what they claim, cannot be read or are too large: refused as a whole, with the reason.
import BridgecastCore
@testable import BridgecastData
import BridgecastTestSupport
import Foundation
import Testing

private let now = RecordText.now
private let header = RecordText.header

private func read(_ text: String) throws -> RecordFile { try RecordText.read(text) }

@Suite struct RefusedRecordFileTests {
    @Test(arguments: [
        ("", "empty"), ("\n\n  \n", "nothing but blanks"), ("hello world\nfoo", "no column"),
        ("a,b,c\n1,2,3\n", "no column opendatetime"), (header, "no records"),
        ("entityid,opendatetime,opendatetime,closedatetime\n", "stands twice"),
        ("[{\"entityid\": 3,", "cut short"), ("{\"message\": \"rate limit\"}", "error message"),
        ("[]", "no records"), ("\"entityid", "no CSV header"),
    ]) func aFileThatIsNotWhatItClaimsIsRefused(_ example: (String, String)) throws {
        let error = #expect(throws: DocumentError.self) { try read(example.0) }
        #expect(error?.kind == .data)
        #expect(error?.description.contains(example.1) == true, "\(error?.description ?? "")")
    }

    @Test func binaryUTF16AndLatin1AreRefusedByName() throws {
        let utf16 = try #require(header.data(using: .utf16))
        for (bytes, word) in [
            ([UInt8](utf16), "UTF-16"), (Array("entityid,\0\0\0".utf8), "zero byte at offset 9"),
            (Array(header.utf8) + [0xe9, 0x0a], "not UTF-8"),
        ] {
            let error = #expect(throws: DocumentError.self) {
                try withFile(bytes) { try RecordFile($0, now: now) }
            }
            #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
        }
        let missing = #expect(throws: DocumentError.self) {
            try RecordFile(URL(fileURLWithPath: "/nonexistent/records.csv"), now: now)
        }
        #expect(missing?.kind == .missing)
        let folder = #expect(throws: DocumentError.self) {
            try RecordFile(URL(fileURLWithPath: "/tmp"), now: now)
        }
        #expect(folder?.kind == .io)
    }

    @Test func aHugeFileIsRefusedBeforeItIsRead() throws {
        try withFile([]) { url in
            let handle = try FileHandle(forWritingTo: url)
            try handle.truncate(atOffset: 1 << 30 | 1)  // sparse: takes no room
            try handle.close()
            let error = #expect(throws: DocumentError.self) {
                _ = try RecordFile(url, now: now)
            }
            #expect(error?.description.contains("larger than 1 GiB") == true)
        }
    }
}
