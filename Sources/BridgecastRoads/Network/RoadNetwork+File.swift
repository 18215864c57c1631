// Reads a network file and checks everything that the search relies on; used by the command, the library and C.
public import Foundation

extension RoadNetwork {
    /// Reads a network file.
    ///
    /// - Parameter url: A file made by `bridgecast roads import`; Seattle's is `models/roads/seattle.roads`.
    /// - Throws: ``RoadNetworkError``.
    /// - Complexity: Linear in the file, some milliseconds for a city.
    public init(contentsOf url: URL) throws(RoadNetworkError) {
        self = try RoadFileReader.network(RoadFileBytes(url))
    }

    /// Reads the bytes of a network file.
    ///
    /// - Parameter file: For messages.
    /// - Throws: ``RoadNetworkError``.
    public init(_ bytes: Data, file: String = "road network") throws(RoadNetworkError) {
        self = try RoadFileReader.network(RoadFileBytes(bytes, file: file))
    }
}
