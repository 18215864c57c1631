// The page's document before the bridges are filled in: the modules to load early stand in it already.

/// The document with a place for the bridges.
struct PageShell: Sendable {
    /// Where the table of bridges goes.
    static let bridgesMark = "<!-- bridges -->"
    /// Where the modules to load early go.
    static let preloadMark = "<!-- preload -->"

    /// Another number with every change of the page's files.
    let revision: Int
    private let before: Substring
    /// Nil where the document has no place for the bridges.
    private let after: Substring?

    /// A document whose modules are named.
    ///
    /// - Parameter modules: Paths of the modules that it needs.
    init(_ index: String, modules: [String], revision: Int) {
        self.revision = revision
        let links = modules.map { "<link rel=\"modulepreload\" href=\"\(HTMLText.escaped($0))\">" }
        let document = index.replacing(
            Self.preloadMark, with: links.joined(separator: "\n    "), maxReplacements: 1)
        if let mark = document.firstRange(of: Self.bridgesMark) {
            (before, after) = (document[..<mark.lowerBound], document[mark.upperBound...])
        } else {
            (before, after) = (document[...], nil)
        }
    }

    /// The document with something in the place of the bridges.
    func filled(_ bridges: () -> String) -> [UInt8] {
        guard let after else { return Array(before.utf8) }
        return Array(before.utf8) + Array(bridges().utf8) + Array(after.utf8)
    }
}
