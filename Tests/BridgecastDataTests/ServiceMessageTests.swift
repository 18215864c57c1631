// What services say instead of routes, and replies that are of other kinds: told in words that can be printed.
@testable import BridgecastData
import Testing

@Suite struct ServiceMessageTests: RouteServiceSuite {
    @Test(arguments: [
        (
            "{\"message\": \"Point 0 is out of bounds\", \"hints\": [{\"message\": \"x\"}]}",
            "Point 0 is out of bounds"
        ),
        ("{\"message\": \"Not Authorized - Invalid Token\"}", "Not Authorized - Invalid Token"),
        (
            "{\"code\": \"InvalidInput\", \"message\": \"Too many coordinates\"}",
            "InvalidInput: Too many coordinates"
        ),
        (
            "{\"error_code\": 171, \"error\": \"No suitable edges near location\", \"status_code\": 400}",
            "No suitable edges"
        ),
        (
            "{\"error\": {\"id\": 404, \"msg\": \"No trip found.\", \"message\": \"PATH_NOT_FOUND\"}}",
            "PATH_NOT_FOUND: No trip found."
        ),
        (
            "{\"plan\": {\"itineraries\": []}, \"error\": {\"id\": 404, \"msg\": \"No trip found.\"}}",
            "No trip found."
        ),
        (
            "{\"data\": {\"planConnection\": {\"edges\": [], \"routingErrors\": [{\"code\": \"OUTSIDE_BOUNDS\"}]}}}",
            "OUTSIDE_BOUNDS"
        ),
        ("{\"errors\": [{\"message\": \"Validation error\"}]}", "Validation error"),
        ("{\"error\": {}}", "an error without words"),
        ("{\"errors\": [{}]}", "an error without words"),
        (
            "{\"error\": {\"code\": 2009, \"message\": \"Route could not be found\"}, \"info\": {}}",
            "Route could not be found"
        ),
        (
            "{\"status\": \"ZERO_RESULTS\", \"routes\": [], \"geocoded_waypoints\": []}",
            "ZERO_RESULTS"
        ),
        (
            "{\"routes\": [], \"notices\": [{\"title\": \"No route\", \"code\": \"noRouteFound\", \"severity\": \"critical\"}]}",
            "noRouteFound"
        ),
        (
            "{\"routes\": [{\"polyline\": {\"encodedPolyline\": \"a\"}, \"duration\": \"60s\"}]}",
            "Google's Routes API"
        ),
        (
            "{\"status\": \"OK\", \"routes\": [{\"overview_polyline\": {\"points\": \"a\"}, \"legs\": []}]}",
            "Google's Directions API"
        ),
        ("{\"routes\": [{\"id\": \"x\", \"sections\": [{\"polyline\": \"BF\"}]}]}", "HERE"),
        (
            "{\"formatVersion\": \"0.0.12\", \"routes\": [{\"legs\": [], \"summary\": {}}]}",
            "TomTom"
        ),
        ("{\"code\": \"Ok\", \"durations\": [[0]]}", "a table of travel times"),
        ("{\"type\": \"GeometryCollection\", \"geometries\": []}", "a GeoJSON GeometryCollection"),
        ("{\"anything\": 1}", "holds no \"routes\""), ("{}", "holds no \"routes\""),
        ("{\"message\": \"\\u001b[2J\\u001b[31mred\"}", "[31mred"),
    ])
    func whatAServiceSaysInsteadIsTold(_ example: (String, String)) throws {
        let words = try refusal(example.0)
        #expect(words.contains(example.1), "\(words)")
        #expect(!words.unicodeScalars.contains { $0.value < 32 })
    }
}
