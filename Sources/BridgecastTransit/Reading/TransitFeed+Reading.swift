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
        let path = url.relativePath
        let reader: FeedReader
        do throws(TransitFeedError.Problem) {
            reader = try Self.reader(of: url, FeedLimits())
        } catch {
            throw TransitFeedError(error, in: path)
        }
        self.init(try Self.parts(reader, named: url.lastPathComponent, in: path))
    }

    /// Reads a feed from a zip file that is in memory.
    ///
    /// - Throws: ``TransitFeedError``
    package convenience init(zip bytes: [UInt8], name: String) throws(TransitFeedError) {
        self.init(try Self.parts(ofZip: bytes, name, FeedLimits()))
    }

    /// Reads the tables; a refusal has what was found until then.
    private static func parts(
        _ reader: FeedReader, named name: String, in path: String
    ) throws(TransitFeedError) -> FeedParts {
        var reader = reader
        do throws(TransitFeedError.Problem) {
            return try reader.parts(named: name)
        } catch {
            throw TransitFeedError(error, in: path, reader.notices)
        }
    }

    private static func reader(
        of url: URL, _ limits: FeedLimits
    ) throws(TransitFeedError.Problem) -> FeedReader {
        guard url.isFileURL else {
            throw .unreadable("it is no file; fetch it and give the zip file")
        }
        let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
        guard !isFolder else { return FeedReader(try FeedFiles(folder: url, limits), limits) }
        let file = try OpenFile(url)
        guard file.bytes <= limits.fileBytes else {
            throw .tooLarge(bytes: file.bytes, most: limits.fileBytes)
        }
        let head = try file.firstBytes(4096)
        guard OtherFile.isZip(head) else { throw .notAFeed(OtherFile.words(head)) }
        let files = try FeedFiles(ZipFile(contents: .file(file)), bytes: file.bytes, limits)
        return FeedReader(files, limits)
    }

    /// What a zip file in memory holds.
    static func parts(
        ofZip bytes: [UInt8], _ name: String, _ limits: FeedLimits
    ) throws(TransitFeedError) -> FeedParts {
        let reader: FeedReader
        do throws(TransitFeedError.Problem) {
            guard OtherFile.isZip(bytes) else {
                throw .notAFeed(OtherFile.words(Array(bytes.prefix(4096))))
            }
            let zip = ZipFile(contents: .memory(bytes))
            reader = FeedReader(try FeedFiles(zip, bytes: bytes.count, limits), limits)
        } catch {
            throw TransitFeedError(error, in: name)
        }
        return try parts(reader, named: name, in: name)
    }
}
