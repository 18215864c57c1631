// What people in Seattle call its places, besides the names on the map.
internal import BridgecastCore

/// Names in common use in Seattle: abbreviations, nicknames, former names, and sights that the map does not have.
///
/// Made by hand. Abbreviations and nicknames are common local usage. Former names are those under which a place was known
/// until it was renamed; the owner's current name is the one shown. A sight is at the street corner nearest to the
/// address that its owner publishes, with the corner's coordinates in OpenStreetMap; tests compare them with the
/// shipped map. A name that the map gives to a place itself is never overruled.
enum CommonNames {
    /// Other names by the name that the map has.
    private static let others: [String: [String]] = [
        // Neighbourhoods.
        "Capitol Hill": ["Cap Hill"],
        "Central District": ["CD"],
        "First Hill": ["Pill Hill"],
        "International District": ["ID", "CID"],
        "Lower Queen Anne": ["LQA"],
        "Northgate": ["Northgate Mall"],
        "Queen Anne": ["QA"],
        "University District": ["the Ave"],
        "West Seattle": ["the Junction", "W Seattle"],
        // Sights; Key Arena until 2020, Safeco Field until 2018, CenturyLink Field until 2020, Qwest Field until 2011, the
        // Washington State Convention Center until 2022.
        "Ballard Locks": ["Locks", "Government Locks"],
        "Boeing Field": ["King County International Airport"],
        "Climate Pledge Arena": ["Key Arena"],
        "Lumen Field": ["CenturyLink Field", "Qwest Field", "Seahawks Stadium"],
        "Pike Place Market": ["Public Market", "Pike Market"],
        "Seattle Convention Center": ["Washington State Convention Center", "WSCC"],
        "T-Mobile Park": ["Safeco Field", "Mariners Stadium"],
        "Waterfront": ["Seattle Aquarium"],
        // Stations and docks.
        "Colman Dock": ["Pier 52", "Bainbridge ferry"],
        "Fauntleroy Ferry Terminal": ["Vashon ferry"],
        "King Street Station": ["Amtrak", "Amtrak station"],
        // Colleges: community colleges until 2014.
        "North Seattle College": ["North Seattle Community College"],
        "Seattle Central College": ["Seattle Central Community College", "SCCC"],
        "Seattle University": ["Seattle U"],
        "South Seattle College": ["South Seattle Community College"],
        "University of Washington": ["U Dub", "U of W"],
        // Hospitals; the Seattle Cancer Care Alliance became a part of Fred Hutch in 2022.
        "Fred Hutch": ["Hutch", "SCCA", "Seattle Cancer Care Alliance"],
        "Harborview": ["HMC"],
        "Seattle Children's Hospital": ["Children's"],
        "UW Medical Center": ["UWMC"],
    ]

    /// Stations of Link light rail, any of which its names may mean.
    private static let linkStations: Set<String> = [
        "Pinehurst Station", "Northgate Station", "Roosevelt Station", "U District Station",
        "University of Washington Station", "Capitol Hill Station", "Westlake Station",
        "Symphony Station", "Pioneer Square Station", "International District/Chinatown Station",
        "Stadium Station", "SODO Station", "Beacon Hill Station", "Mount Baker Station",
        "Columbia City Station", "Othello Station", "Rainier Beach Station",
        "Judkins Park Station",
    ]

    private static let linkNames = [
        "Link", "Link station", "Link light rail", "Link light rail station", "light rail",
        "light rail station",
    ]

    /// Names of a place of the map that the map does not have.
    static func others(of place: Place) -> [String] {
        let others = others[place.name] ?? []
        guard place.kind == .station, linkStations.contains(place.name) else { return others }
        return others + linkNames
    }

    /// Sights that the map does not have.
    static let sights: [Place] = [
        sight("Amazon Spheres", also: ["Spheres"], at: (47.61583, -122.33875)),
        sight("Benaroya Hall", at: (47.60829, -122.33801)),
        sight("Cal Anderson Park", at: (47.61643, -122.31818), .park),
        sight("Columbia Center", also: ["Columbia Tower"], at: (47.60511, -122.33053)),
        sight("Frye Art Museum", at: (47.60674, -122.32430)),
        sight("Jefferson Park", at: (47.57192, -122.30824), .park),
        sight("Kerry Park", at: (47.62957, -122.35923), .park),
        sight("Kraken Community Iceplex", also: ["Kraken Iceplex"], at: (47.70497, -122.32319)),
        sight("Kubota Garden", at: (47.51363, -122.26473), .park),
        sight("Lincoln Park", at: (47.52975, -122.39270), .park),
        sight("Moore Theatre", at: (47.61173, -122.34178)),
        sight("MoPOP", also: ["Museum of Pop Culture", "EMP"], at: (47.62207, -122.34758)),
        sight("National Nordic Museum", also: ["Nordic Museum"], at: (47.66865, -122.39289)),
        sight("Neptune Theatre", at: (47.66129, -122.31429)),
        sight(
            "Olympic Sculpture Park", also: ["Sculpture Park"], at: (47.61626, -122.35336), .park),
        sight("Pacific Place", at: (47.61214, -122.33538)),
        sight("REI", at: (47.61967, -122.33044)),
        sight("Seattle Art Museum", also: ["SAM"], at: (47.60684, -122.33819)),
        sight("Seattle Asian Art Museum", also: ["Asian Art Museum"], at: (47.62840, -122.31456)),
        sight("Seattle Central Library", also: ["Central Library"], at: (47.60609, -122.33291)),
        sight("Seattle City Hall", also: ["City Hall"], at: (47.60439, -122.32986)),
        sight("Smith Tower", at: (47.60173, -122.33198)),
        sight("Town Hall Seattle", also: ["Town Hall"], at: (47.60937, -122.32980)),
        sight("Uwajimaya", at: (47.59753, -122.32769)),
        sight("Washington Park Arboretum", also: ["Arboretum"], at: (47.64040, -122.29680), .park),
    ]

    /// - Parameter point: Degrees north and east.
    private static func sight(
        _ name: String, also aliases: [String] = [], at point: (Double, Double),
        _ kind: Place.Kind = .landmark
    ) -> Place {
        Place(
            name: name, aliases: aliases, kind: kind,
            point: GeoPoint(latitude: point.0, longitude: point.1))
    }
}

extension RoadNetwork {
    /// A sight farther from any road is in another city than the network, metres.
    private static let maxSightMetres = 100.0

    /// Sights in the area of a map.
    static func sights(on map: RoadMap, _ grid: RoadGrid) -> [Place] {
        CommonNames.sights.filter {
            grid.nearest(to: $0.point, on: map, within: maxSightMetres) { _ in 0 } != nil
        }
    }
}
