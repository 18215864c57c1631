// Long names of OpenStreetMap as people say them.
@testable import BridgecastRoadImport
import BridgecastRoads
import Testing

@Suite struct LocalNamesTests {
    @Test(arguments: [
        ("15th Avenue Northwest", "15th Ave NW"), ("Southwest Spokane Street", "SW Spokane St"),
        ("East Marginal Way South", "E Marginal Way S"), ("Boulevard", "Boulevard"),
        ("West Seattle Bridge", "West Seattle Bridge"), ("North Street", "North St"),
        ("Martin Luther King Junior Way South", "Martin Luther King Jr Way S"),
        ("2nd Avenue Extension South", "2nd Ave Ext S"), ("State Route 99 Tunnel", "SR 99 Tunnel"),
        ("Eastlake Avenue East", "Eastlake Ave E"), ("Broadway East", "Broadway East"),
        ("1st Avenue South Bridge", "1st Ave South Bridge"), ("", ""),
    ])
    func namesAreShortened(_ example: (String, String)) {
        #expect(LocalNames.shortened(example.0) == example.1)
    }

    @Test(arguments: [
        (["highway": "motorway", "ref": "I 5", "name": "Ship Canal Bridge"], "I-5"),
        (["highway": "motorway", "ref": "WA 99", "name": "State Route 99"], "SR 99"),
        (["highway": "motorway", "ref": "I 5 Express"], "I-5 express lanes"),
        (
            ["highway": "primary", "ref": "WA 513", "name": "Montlake Boulevard East"],
            "Montlake Blvd E"
        ),
        (["highway": "trunk", "ref": "WA 520;WA 1"], "SR 520"),
        (
            ["highway": "motorway_link", "destination": "Bellevue;Kirkland", "ref": "WA 520"],
            "Bellevue / Kirkland"
        ),
        (["highway": "motorway_link"], ""),
    ])
    func roadsAreCalledByNameOrNumber(_ example: ([String: String], String)) throws {
        var town = StreetTown()
        town.grid()
        town.node("side", 180, 150)
        town.way("b1 side b2", ["oneway": "no"].merging(example.0) { $1 })
        let made = try town.imported()
        #expect(made.map.names.contains(example.1))
        let long = made.map.arcs.filter { $0.metres > 120 }
        #expect(long.allSatisfy { made.map.names[Int($0.name)] == example.1 } && long.count == 2)
    }
}
