// Starts `bridgecast-server` in place of this program, as git starts its commands.
import ArgumentParser
import Foundation
import Glibc

/// The program that talks to a network.
enum ServerProgram {
    private static let name = "bridgecast-server"

    /// Replaces this process by the other program; a failure becomes a message and an exit code.
    static func start(_ command: NetworkCommand, _ arguments: [String]) throws -> Never {
        do {
            try start([command.rawValue] + arguments)
        } catch {
            note("bridgecast: error: \(CommandFailure(error).message)")
            throw ExitCode(CommandFailure(error).code.rawValue)
        }
    }

    /// Replaces this process by the other program.
    ///
    /// It is looked for beside this program, then on the path.
    /// - Throws: ``CommandFailure`` if it is nowhere.
    static func start(_ arguments: [String]) throws -> Never {
        let program = beside() ?? name
        var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
        unsafe execvp(program, &words)
        throw CommandFailure(
            .unavailable,
            "\(name), which has the commands that talk to a network, is not there: "
                + "tools/bridgecast builds it when asked for one, and so does "
                + "swift build -c release --product \(name)")
    }

    private static func beside() -> String? {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let own else { return nil }
        let path = URL(fileURLWithPath: own).deletingLastPathComponent()
            .appendingPathComponent(name).path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}
