// The `bridgecast-server` program.
import BridgecastCLI
import BridgecastServerCLI
import Foundation

exit(await CommandLineProgram.main(ServerCommand.self, databases: .ofServerProgram))
