// A PostgreSQL server of the tests' own: its data is in a temporary folder, and it ends with the tests.
#if PostgreSQL
    package import Foundation
    private import Glibc

    /// A server that only this process uses, on a socket in its folder and on a port of the loopback address.
    package final class DatabaseServer: Sendable {
        /// The socket's folder, with all that belongs to the server.
        package let folder: URL
        package let port: Int
        package let process: Int32

        /// The server that all tests share; each has a schema of its own in it.
        package static let shared: DatabaseServer = {
            do {
                return try DatabaseServer()
            } catch {
                preconditionFailure("no PostgreSQL server: \(error)")
            }
        }()

        /// The name of the user that may do everything, and of the database.
        package static let name = "bridgecast"

        package struct Failure: Error, CustomStringConvertible {
            package let description: String
        }

        /// Starts a server with a database `bridgecast` and a superuser of that name, who needs no password by the socket.
        ///
        /// - Parameter settings: Additions to postgresql.conf, a line each.
        package init(settings: [String] = []) throws {
            folder = URL(
                fileURLWithPath: "/tmp/bridgecast-pg-\(getpid())-\(UInt16.random(in: 0...9999))")
            port = Int.random(in: 20_000...50_000)
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let data = folder.appendingPathComponent("data").path
            try Self.give(folder)
            let programs = try Self.programs()
            try Self.run(
                [
                    "\(programs)/initdb", "--pgdata=\(data)", "--username=\(Self.name)",
                    "--auth-local=trust", "--auth-host=scram-sha-256", "--encoding=UTF8",
                    "--locale=C", "--no-sync",
                ])
            let lines =
                [
                    "listen_addresses = '127.0.0.1'", "port = \(port)",
                    "unix_socket_directories = '\(folder.path)'", "shared_buffers = 64MB",
                    "max_connections = 50", "fsync = off", "logging_collector = off",
                ] + settings
            let file = URL(fileURLWithPath: data).appendingPathComponent("postgresql.conf")
            let text = try String(contentsOf: file, encoding: .utf8)
            try (text + lines.joined(separator: "\n") + "\n").write(
                to: file, atomically: false, encoding: .utf8)
            process = try Self.start(["\(programs)/postgres", "-D", data])
            try waitUntilReady(programs)
            try psql("postgres", sql: "CREATE DATABASE \(Self.name)")
        }

        /// The URL of the database by the socket.
        ///
        /// - Parameter parameters: Such as `schema=a`.
        package func url(user: String = DatabaseServer.name, _ parameters: String...) -> String {
            let all = ["host=\(folder.path)", "port=\(port)"] + parameters
            return "postgres://\(user)@/\(Self.name)?\(all.joined(separator: "&"))"
        }

        /// Runs SQL with `psql`, as the superuser.
        ///
        /// - Returns: What it printed, without headings.
        @discardableResult
        package func psql(
            _ database: String = DatabaseServer.name, sql: String
        ) throws -> String {
            try Self.run([
                "psql", "-X", "-h", folder.path, "-p", "\(port)", "-U", Self.name, "-d", database,
                "-v", "ON_ERROR_STOP=1", "-Atc", sql,
            ])
        }

        /// Ends the server as fast as possible, and removes its folder.
        package func stop() {
            kill(process, SIGQUIT)
            // Safe: the call ignores the status.
            unsafe waitpid(process, nil, 0)
            try? FileManager.default.removeItem(at: folder)
        }

        private func waitUntilReady(_ programs: String) throws {
            for _ in 0..<600 {
                if (try? Self.run(["\(programs)/pg_isready", "-h", folder.path, "-p", "\(port)"]))
                    != nil
                {
                    return
                }
                usleep(50_000)
            }
            throw Failure(description: "the server does not start; its data is in \(folder.path)")
        }

        /// The folder of the newest version that Debian has installed.
        private static func programs() throws -> String {
            let all = "/usr/lib/postgresql"
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: all)) ?? []
            guard let newest = versions.compactMap({ Int($0) }).max() else {
                throw Failure(description: "no server in \(all): apt-get install postgresql")
            }
            return "\(all)/\(newest)/bin"
        }

        /// PostgreSQL refuses to run as root: another user then has the folder and runs its programs.
        private static var user: String? { geteuid() == 0 ? "postgres" : nil }

        private static func give(_ folder: URL) throws {
            if let user { try run(["chown", user, folder.path], asServer: false) }
        }

        private static func command(_ words: [String], asServer: Bool) -> [String] {
            guard asServer, let user else { return words }
            return ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] + words
        }

        @discardableResult
        private static func run(_ words: [String], asServer: Bool = true) throws -> String {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command(words, asServer: asServer)
            process.currentDirectoryURL = URL(fileURLWithPath: "/tmp")
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            let text = String(decoding: bytes, as: UTF8.self)
            guard process.terminationStatus == 0 else {
                throw Failure(description: "\(words.joined(separator: " ")): \(text)")
            }
            return text.trimmingCharacters(in: .newlines)
        }

        /// Starts the server; a watcher ends it when this process is gone, however it ended.
        private static func start(_ words: [String]) throws -> Int32 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command(words, asServer: true)
            process.currentDirectoryURL = URL(fileURLWithPath: "/tmp")
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            let watcher = Process()
            watcher.executableURL = URL(fileURLWithPath: "/bin/sh")
            let server = process.processIdentifier
            watcher.arguments = [
                "-c",
                "while kill -0 \(getpid()); do sleep 1; done; kill -QUIT \(server); sleep 2; rm -rf /tmp/bridgecast-pg-\(getpid())-*",
            ]
            watcher.standardInput = FileHandle.nullDevice
            watcher.standardOutput = FileHandle.nullDevice
            watcher.standardError = FileHandle.nullDevice
            try watcher.run()
            return server
        }
    }
#endif
