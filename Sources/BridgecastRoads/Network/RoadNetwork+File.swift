// Reads a network file and checks everything that the search relies on; used by the command, the library and C.
public import Foundation
private import Glibc

extension RoadNetwork {
    /// Reads a network file.
    ///
    /// - Parameter url: A file made by `bridgecast roads import`; Seattle's is `models/roads/seattle.roads`.
    /// - Throws: ``RoadNetworkError``.
    /// - Complexity: Linear in the file, some milliseconds for a city.
    public init(contentsOf url: URL) throws(RoadNetworkError) {
        try self.init(Self.bytes(of: url), file: url.path)
    }

    /// The bytes of a file that may be a network's.
    package static func bytes(of url: URL) throws(RoadNetworkError) -> Data {
        try check(url)
        do {
            return try Data(contentsOf: url)
        } catch let error as CocoaError {
            throw .unreadable(
                file: url.path, reason: error.localizedDescription, isMissing: false)
        } catch {
            throw .unreadable(file: url.path, reason: "\(error)", isMissing: false)
        }
    }

    /// Reads the bytes of a network file.
    ///
    /// - Parameter file: For messages.
    /// - Throws: ``RoadNetworkError``.
    public init(_ bytes: Data, file: String = "road network") throws(RoadNetworkError) {
        guard bytes.count <= RoadFileFormat.mostBytes else { throw Self.tooLarge(file) }
        self = try RoadFileReader(RoadSections(bytes, file: file)).network()
    }

    /// Checks that there is a file of a size that may be read, before it is read.
    private static func check(_ url: URL) throws(RoadNetworkError) {
        func unreadable(_ reason: String, isMissing: Bool = false) -> RoadNetworkError {
            .unreadable(file: url.path, reason: reason, isMissing: isMissing)
        }
        guard url.isFileURL else {
            throw .unreadable(
                file: url.absoluteString, reason: "is no file; fetch it and give its bytes",
                isMissing: false)
        }
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        guard unsafe stat(url.path, &status) == 0 else {
            guard errno != ENOENT else {
                throw unreadable("there is no such file", isMissing: true)
            }
            throw unreadable("cannot be read (\(unsafe String(cString: strerror(errno))))")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw unreadable("is a folder, not a file")
        default: throw unreadable("is a pipe or device, not a file")
        }
        guard status.st_size <= RoadFileFormat.mostBytes else { throw tooLarge(url.path) }
    }

    private static func tooLarge(_ file: String) -> RoadNetworkError {
        .format(file: file, problem: "it is larger than a gigabyte")
    }
}
