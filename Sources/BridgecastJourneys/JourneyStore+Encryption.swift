// A journal becomes encrypted, gets another key, or is no longer encrypted: all of it or nothing.
public import BridgecastStore
public import Foundation

extension JourneyStore {
    /// Encrypts a journal; what was in the file is overwritten.
    ///
    /// No other process may have it open.
    ///
    /// - Parameter isBoundToName: See ``init(_:_:key:isBoundToName:)``.
    /// - Returns: Whether it was encrypted; false if it is already, with this key.
    /// - Throws: ``JourneyStoreError``.
    public static func encrypt(
        _ url: URL, with key: StoreKey, isBoundToName: Bool = false
    ) throws(JourneyStoreError) -> Bool {
        try converting(url) {
            try $0.encrypt(with: key, isBoundToName: isBoundToName, as: JourneySchema.schema)
        }
    }

    /// Writes an encrypted journal as one that is not.
    ///
    /// - Throws: ``JourneyStoreError``, also if it is not encrypted.
    public static func decrypt(_ url: URL, with key: StoreKey) throws(JourneyStoreError) {
        try converting(url) { try $0.decrypt(with: key, as: JourneySchema.schema) }
    }

    /// Encrypts an encrypted journal with another key.
    ///
    /// - Throws: ``JourneyStoreError``.
    public static func changeKey(
        of url: URL, from old: StoreKey, to new: StoreKey
    ) throws(JourneyStoreError) {
        try converting(url) { try $0.changeKey(from: old, to: new, as: JourneySchema.schema) }
    }

    /// Checks that a journal is encrypted with a key, or is not encrypted if there is none; one that is missing may become
    /// either.
    ///
    /// - Throws: ``JourneyStoreError``.
    static func checkKey(
        _ key: StoreKey?, from source: JournalKeySource, of url: URL
    ) throws(JourneyStoreError) {
        try JourneyStoreError.about(url.path, .reading, keySource: source) {
            try StoreFile(url: url).checkKey(key)
        }
    }

    /// Checks that a journal may be written, or made if there is none yet; nothing is made.
    ///
    /// - Throws: ``JourneyStoreError``.
    package static func checkWritable(_ url: URL) throws(JourneyStoreError) {
        try JourneyStoreError.about(url.path, .writing) {
            try StoreFile(url: url.resolvingSymlinksInPath()).checkWritable()
        }
    }

    private static func converting<Result>(
        _ url: URL, _ body: (StoreFile) throws -> Result
    ) throws(JourneyStoreError) -> Result {
        try JourneyStoreError.about(url.path, .writing) {
            let file = StoreFile(url: url.resolvingSymlinksInPath())
            guard try file.exists() else { throw JourneyStoreProblem.missing }
            return try body(file)
        }
    }
}
