// Answers every path with the same bytes; started by load.py.
//
//   Bare PORT FILE    FILE holds the body of /api/v1/forecast; FILE.bridges that of /api/v1/bridges
internal import BridgecastRouting
import Foundation
import Hummingbird

let arguments = CommandLine.arguments
guard arguments.count == 3, let port = Int(arguments[1]) else {
    FileHandle.standardError.write(Data("usage: Bare PORT FILE\n".utf8))
    exit(64)
}

func answer(from path: String) throws -> Response {
    let body = ByteBuffer(bytes: try Data(contentsOf: URL(fileURLWithPath: path)))
    return Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: ResponseBody(byteBuffer: body))
}

let forecast = try answer(from: arguments[2])
let bridges = try answer(from: arguments[2] + ".bridges")
let router = Router()
router.get("/api/v1/forecast") { _, _ in forecast }
router.get("/api/v1/bridges") { _, _ in bridges }
let application = Application(
    router: router,
    configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
try await application.runService()
