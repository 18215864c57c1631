// From a zip file or a folder to a feed.
public import Foundation

extension TransitFeed {
    /// Reads a feed from a zip file or a folder, also from one folder within either.
    ///
    /// Files and columns that GTFS does not have are passed over; rows that cannot be used are left out. O(bytes),
    /// about 30 bytes of memory a stop time; unpacking has a thread of its own.
    ///
    /// - Throws: ``TransitFeedError``. What is wrong with single rows is in ``notices``.
    public convenience init(contentsOf url: URL) throws(TransitFeedError) {
        do throws(TransitFeedError.Problem) {
            self.init(try Self.parts(of: url, FeedLimits()))
        } catch {
            throw TransitFeedError(error, in: url.relativePath)
        }
    }

    /// Reads a feed from a zip file that is in memory.
    ///
    /// - Throws: ``TransitFeedError``
    package convenience init(zip bytes: [UInt8], name: String) throws(TransitFeedError) {
        do throws(TransitFeedError.Problem) {
            self.init(try Self.parts(ofZip: bytes, name, FeedLimits()))
        } catch {
            throw TransitFeedError(error, in: name)
        }
    }

    private static func parts(
        of url: URL, _ limits: FeedLimits
    ) throws(TransitFeedError.Problem) -> FeedParts {
        guard url.isFileURL else {
            throw .unreadable("it is no file; fetch it and give the zip file")
        }
        let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
        if isFolder {
            var reader = FeedReader(try FeedFiles(folder: url, limits), limits)
            return try reader.parts(named: url.lastPathComponent)
        }
        let file = try OpenFile(url)
        guard file.bytes <= limits.fileBytes else {
            throw .tooLarge(bytes: file.bytes, most: limits.fileBytes)
        }
        let head = try file.firstBytes(4096)
        guard OtherFile.isZip(head) else { throw .notAFeed(OtherFile.words(head)) }
        let files = try FeedFiles(ZipFile(contents: .file(file)), bytes: file.bytes, limits)
        var reader = FeedReader(files, limits)
        return try reader.parts(named: url.lastPathComponent)
    }

    /// What a zip file in memory holds.
    static func parts(
        ofZip bytes: [UInt8], _ name: String, _ limits: FeedLimits
    ) throws(TransitFeedError.Problem) -> FeedParts {
        guard OtherFile.isZip(bytes) else {
            throw .notAFeed(OtherFile.words(Array(bytes.prefix(4096))))
        }
        let files = try FeedFiles(ZipFile(contents: .memory(bytes)), bytes: bytes.count, limits)
        var reader = FeedReader(files, limits)
        return try reader.parts(named: name)
    }
}
