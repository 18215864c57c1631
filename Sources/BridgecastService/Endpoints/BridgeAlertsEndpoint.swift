// `/gtfs-rt/alerts`: raised bridges as a GTFS-realtime feed of service alerts, for apps of riders.
internal import BridgecastTransit
internal import HTTPTypes

enum BridgeAlertsEndpoint {
    static let all = [Endpoint.get("/gtfs-rt/alerts", forms: [.protobuf]) { try alerts($0) }]

    private static func alerts(_ request: ServiceRequest) throws(Problem) -> ServiceAnswer {
        let view = try TransitView(request)
        // Nobody may take a service that has only just begun for bridges that are all down.
        let board = try request.board()
        let message = RaisedBridgeAlerts.message(
            for: view.feed, view.desk.crossings, board.knowledge, at: view.now)
        return StopEndpoints.answer(message.protobufBytes(), .protobuf)
    }
}
