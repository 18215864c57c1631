// The `bridgecast-server` program.
import BridgecastCLI
import BridgecastServerCLI
import Foundation

exit(await CommandLineProgram.run(ServerCommand.self, Array(CommandLine.arguments.dropFirst())))
