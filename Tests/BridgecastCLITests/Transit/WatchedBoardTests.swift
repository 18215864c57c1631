// `--watch` on a real pseudo-terminal: drawn, counted down, ended by a key, and the terminal given back.
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct WatchedBoardTests {
    @Test(
        "A watched board counts down on the terminal until q or Ctrl-C", arguments: ["q", "\\x03"])
    func onATerminal(_ key: String) async throws {
        try await TransitHome.with { transit in
            let script = """
                import os, pty, sys, time, select, struct, fcntl, termios
                pid, fd = pty.fork()
                if pid == 0:
                    os.execv(sys.argv[1], sys.argv[1:])
                fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 30, 110, 0, 0))
                seen, sent, start = b'', False, time.time()
                # What does not end by its key is killed.
                while time.time() - start < 60:
                    if not sent and b'4:5' in seen:
                        os.write(fd, b'\(key)'); sent = True
                    if select.select([fd], [], [], 0.1)[0]:
                        try: data = os.read(fd, 65536)
                        except OSError: break
                        if not data: break
                        seen += data
                if time.time() - start >= 60: os.kill(pid, 9)
                status = os.waitpid(pid, 0)[1]
                sys.stdout.buffer.write(seen)
                sys.exit(os.waitstatus_to_exitcode(status))
                """
            let file = transit.home.appendingPathComponent("watch.py")
            try Data(script.utf8).write(to: file)
            let run = try await CommandRun(
                process: [
                    "python3", file.path, try CommandRun.binary("bridgecast-server").path, "board",
                    "Interbay", "--watch", "--feed", transit.feed.path, "--at", TransitHome.moment,
                ], home: transit.home, executable: "/usr/bin/env")
            #expect(run.code == 0, "\(run.output) \(run.errors)")
            #expect(run.output.contains("\u{1B}[?1049h") && run.output.contains("\u{1B}[?1049l"))
            #expect(run.output.contains("Interbay") && run.output.contains("Ballard"))
        }
    }
}
