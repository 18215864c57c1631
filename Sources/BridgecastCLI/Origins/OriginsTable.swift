// `bridgecast origins table`: all recipes of a folder side by side.
import ArgumentParser
import BridgecastTraining
import Foundation

struct OriginsTable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Shows the recipes of a folder side by side.",
        discussion: """
            A recipe is a folder with a file of scores for each origin. Figures are means over \
            origins; intervals come from days drawn anew within each origin, the same days for all \
            recipes. Other programs may write such files too.
            """)

    @Option(name: .long, help: "Folder of all recipes.")
    var folder: String

    @Option(name: .long, help: "Compare the others with this recipe.")
    var against: String?

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let table = try OriginTable(try scores(), against: against)
            switch format {
            case .table: try Console.print(OriginsText.text(table))
            case .json: try Console.print(try json(table))
            }
        }
    }

    private func scores() throws -> [OriginScores] {
        let root = URL(fileURLWithPath: folder)
        let recipes = try contents(of: root).filter(\.hasDirectoryPath)
        let scores = try recipes.flatMap(scores(ofRecipe:))
        guard !scores.isEmpty else {
            throw CommandFailure(
                .missingInput,
                "\(folder): there is no NAME/ORIGIN.json; `bridgecast origins run` writes them")
        }
        return scores
    }

    /// The scores of one recipe; its files are of different origins and otherwise of the same.
    private func scores(ofRecipe recipe: URL) throws -> [OriginScores] {
        // The first file's, and the first of those that say how they were made.
        var days: (file: URL, facts: [String: String])?
        var making: (file: URL, facts: [String: String])?
        return try contents(of: recipe).filter { $0.pathExtension == "json" }.map { file in
            var scores = try OriginScoresFile.read(file.path)
            guard scores.origin == file.deletingPathExtension().lastPathComponent else {
                throw CommandFailure(
                    .data,
                    "\(file.path): holds scores at '\(scores.origin)'; a file is named for its origin"
                )
            }
            try Self.compare(file, ["days": "\(scores.days)"], with: &days)
            if let facts = scores.making?.recipeFacts {
                try Self.compare(file, facts, with: &making)
            }
            // What lies in a recipe's folder is the recipe's.
            scores.recipe = recipe.lastPathComponent
            return scores
        }
    }

    private static func compare(
        _ file: URL, _ facts: [String: String],
        with first: inout (file: URL, facts: [String: String])?
    ) throws {
        guard let known = first else {
            first = (file, facts)
            return
        }
        let different = OriginScores.Making.differences(facts, known.facts)
        guard different.isEmpty else {
            throw CommandFailure(
                .data,
                "\(file.path): is not of the recipe of \(known.file.lastPathComponent) beside it: "
                    + different.joined(separator: "; "))
        }
    }

    private func contents(of folder: URL) throws -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: [.isDirectoryKey],
                options: .skipsHiddenFiles
            ).sorted { $0.lastPathComponent < $1.lastPathComponent }
        } catch {
            throw CommandFailure(
                .missingInput, "\(folder.path): cannot be read: \(systemReason(error))")
        }
    }
}
