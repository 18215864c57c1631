// The `bridgecast` program.
import BridgecastCLI
import Foundation

exit(await CommandLineProgram.run(BridgecastCommand.self, Array(CommandLine.arguments.dropFirst())))
