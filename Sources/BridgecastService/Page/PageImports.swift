// Which modules a module needs, and those in turn: the page names them, so that a browser asks for all at once.

enum PageImports {
    /// The modules that one needs by static imports, in the order in which they are met; without itself.
    ///
    /// - Parameter text: The text of the module at a path; nil if there is none.
    static func modules(from start: String, _ text: (String) -> String?) -> [String] {
        var met = [start]
        var next = 0
        while next < met.count {
            let path = met[next]
            next += 1
            for name in text(path).map(names) ?? [] {
                guard let module = resolve(name, from: path), text(module) != nil,
                    !met.contains(module)
                else { continue }
                met.append(module)
            }
        }
        return Array(met.dropFirst())
    }

    /// What a module's imports name, and what it hands on; not those that are made while it runs.
    ///
    /// The name stands on the last line of an import, which begins with one of these.
    private static func names(_ text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            let words = line.drop { $0 == " " || $0 == "\t" }
            if words.hasPrefix("import \"") || words.hasPrefix("import '") {
                return quoted(words.dropFirst("import ".count))
            }
            guard ["import ", "export ", "}"].contains(where: { words.hasPrefix($0) }) else {
                return nil
            }
            for from in ["from \"", "from '"] {
                if let place = words.firstRange(of: from) {
                    return quoted(words[place.lowerBound...].dropFirst("from ".count))
                }
            }
            return nil
        }
    }

    /// What stands in the quotes that a text begins with.
    private static func quoted(_ text: Substring) -> String? {
        guard let mark = text.first, let end = text.dropFirst().firstIndex(of: mark) else {
            return nil
        }
        return String(text[text.index(after: text.startIndex)..<end])
    }

    /// The path that a relative name leads to from a module; nil if it leads out of the folder, or is not relative.
    private static func resolve(_ name: String, from module: String) -> String? {
        guard name.hasPrefix("./") || name.hasPrefix("../") else { return nil }
        var parts = module.split(separator: "/").dropLast().map(String.init)
        for part in name.split(separator: "/") where part != "." {
            if part != ".." {
                parts.append(String(part))
            } else if parts.popLast() == nil {
                return nil
            }
        }
        return parts.joined(separator: "/")
    }
}
