// The line that XML may begin with, `<?xml version="1.0" encoding="UTF-8"?>`; used by XMLText.

/// What a text says of its own encoding.
enum XMLDeclaration {
    /// The encoding that a text claims, if it is another than UTF-8: what is read as UTF-8 would be misread.
    static func otherEncoding(_ declaration: ArraySlice<UInt8>) -> String? {
        let text = String(decoding: declaration.prefix(200), as: UTF8.self)
        guard text.hasPrefix("<?xml "),
            let name = text.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/)?.1,
            name.lowercased() != "utf-8"
        else { return nil }
        return String(name)
    }
}
