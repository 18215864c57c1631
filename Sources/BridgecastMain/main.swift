// The `bridgecast` program.
import BridgecastCLI
import Foundation

exit(await CommandLineProgram.main(BridgecastCommand.self))
