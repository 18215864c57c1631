// Starts `bridgecast-server` in place of this program, as git starts its commands.
import Foundation

/// The program that talks to a network.
enum ServerProgram {
    private static let name = "bridgecast-server"
    /// In the environment of a program that was started here.
    private static let mark = "BRIDGECAST_STARTED_SERVER"

    /// Goes on as the other program, with the same words; it is looked for beside this one, then on the path.
    ///
    /// - Throws: ``CommandFailure`` if it is nowhere or cannot be started.
    static func start(_ words: [String]) throws {
        // A link from there to this program would start it for ever.
        guard Console.current.environment[Self.mark] == nil else {
            throw CommandFailure(
                .unavailable,
                "\(name) is a link to bridgecast itself; build it with tools/bridgecast")
        }
        let program = beside() ?? name
        do {
            try Console.current.become(program, words, [Self.mark: "1"])
        } catch let error as POSIXError where error.code != .ENOENT {
            throw CommandFailure(
                .unavailable,
                "\(program) cannot be started: \(systemReason(error))")
        } catch is POSIXError {
            throw CommandFailure(
                .unavailable,
                "\(name), which has the commands that talk to a network and roads import, is not there: "
                    + "tools/bridgecast builds it when asked for one, and so does "
                    + "swift build -c release --product \(name)")
        }
    }

    private static func beside() -> String? {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = own.map {
            URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent(name).path
        }
        return path.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
    }
}
