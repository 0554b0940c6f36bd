import Foundation
import Testing

/// The pages lead where they say.
@Suite("pages of the documentation")
struct PageTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Self.root.appending(path: path).path)
    }

    /// The articles of all modules.
    private func articles() throws -> [String] {
        try ["Backends", "Conformance", "Sources"].flatMap { folder in
            try FileManager.default
                .subpathsOfDirectory(atPath: Self.root.appending(path: folder).path)
                .filter { $0.hasSuffix(".md") && $0.contains(".docc/") }
                .map { "\(folder)/\($0)" }
        }
    }

    @Test("the files that the pages at the top link and name exist")
    func files() throws {
        for page in ["CONTRIBUTING.md", "README.md", "SECURITY.md"] {
            let text = try text(page)
            let links = text.matches(of: #/\]\(([^)#]+)[^)]*\)/#).map { String($0.output.1) }
                .filter { !$0.hasPrefix("http") }
            let names = text.matches(
                of: #/`((?:Backends|Conformance|Examples|Sources|Tests|\.ci)/[\w./+-]+)`/#
            ).map { String($0.output.1) }
            #expect(page == "SECURITY.md" || !links.isEmpty)
            for file in links + names { #expect(exists(file), "\(page): \(file)") }
        }
    }

    @Test("the articles that an article names are beside it")
    func neighbors() throws {
        let articles = try articles()
        #expect(articles.count > 20)
        for article in articles {
            let folder = article.split(separator: "/").dropLast().joined(separator: "/")
            for link in try text(article).matches(of: #/<doc:([^>]+)>/#) {
                #expect(exists("\(folder)/\(link.output.1).md"), "\(article): \(link.output.0)")
            }
        }
    }
}
