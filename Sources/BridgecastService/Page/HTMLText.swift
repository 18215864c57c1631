// Text as HTML has it; used for everything that the service writes into the page.

enum HTMLText {
    /// Text in which nothing is taken for markup, between tags and in quoted attributes.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for letter in text.unicodeScalars {
            switch letter {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(letter)
            }
        }
        return escaped
    }

    /// An element with text in it.
    static func element(_ tag: String, _ attributes: String = "", _ text: String) -> String {
        "<\(tag)\(attributes.isEmpty ? "" : " " + attributes)>\(escaped(text))</\(tag)>"
    }
}
