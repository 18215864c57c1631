// Local files: what is opened, how much is read, and the texts of times of day.
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Glibc
import Testing

@Suite struct LocalFileTests {
    private func error(_ url: URL, maxBytes: Int = 10) -> LocalFileError? {
        do throws(LocalFileError) {
            _ = try LocalFile.read(url, maxBytes: maxBytes)
            return nil
        } catch { return error }
    }

    @Test func filesAreReadUpToALimit() throws {
        try withFile(Array("0123456789".utf8)) { url in
            let whole = try LocalFile.read(url, maxBytes: 10)
            #expect(whole == Array("0123456789".utf8))
            #expect(error(url, maxBytes: 9) == .tooLarge(bytes: 10, maxBytes: 9))
            let file = try LocalFile(url)
            var bytes: [UInt8] = []
            #expect(file.byteCount == 10)
            let count = try file.append(4, to: &bytes)
            let rest = try file.readToEnd()
            let none = try file.append(4, to: &bytes)
            #expect(count == 4 && bytes == Array("0123".utf8))
            #expect(rest == Array("456789".utf8) && none == 0)
        }
        let empty = try withFile([]) { try LocalFile.read($0, maxBytes: 0) }
        #expect(empty.isEmpty)
    }

    @Test func pathsThatAreNoFilesAreRefused() throws {
        let remote = try #require(URL(string: "https://example.org/a"))
        #expect(error(remote) == .notLocal)
        #expect(error(URL(fileURLWithPath: "/nonexistent/x")) == .missing)
        #expect(error(URL(fileURLWithPath: "/tmp")) == .folder)
        #expect(error(URL(fileURLWithPath: "/dev/null")) == .pipeOrDevice)
        #expect(LocalFileError.system(code: ENOTDIR).isMissing)
    }

    @Test func aPipeWithoutAWriterIsNotAwaited() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("pipe")
        #expect(unsafe mkfifo(pipe.path, 0o600) == 0)
        #expect(error(pipe) == .pipeOrDevice)
        #expect(throws: LocalFileError.silent(seconds: 0.02)) {
            try LocalFile(pipe, pipes: .awaitedAtMost(seconds: 0.02))
        }
        Thread.detachNewThread { try? Data("abc".utf8).write(to: pipe) }
        let bytes = try LocalFile.read(
            pipe, maxBytes: 10, pipes: .awaitedAtMost(seconds: 10))
        #expect(bytes == Array("abc".utf8))
    }

    @Test func timesOfDayHaveTwoDigits() {
        #expect(ClockText.hoursMinutes(7, 5) == "07:05")
        #expect(ClockText.hoursMinutes(ofMinutes: 1_510) == "25:10")
        #expect(ClockText.hoursMinutesSeconds(ofSeconds: 90_609) == "25:10:09")
    }
}
