// The entities of XML that need no declaration; used by XMLText.

/// Characters that cannot stand in XML as themselves.
enum XMLEntity {
    /// The character that `&name;` stands for; nil if it has to be declared, or is none.
    static func character(named name: String) -> Unicode.Scalar? {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            guard let number = UInt32(digits, radix: isHexadecimal ? 16 : 10), number > 0 else {
                return nil
            }
            return Unicode.Scalar(number)
        }
    }
}
