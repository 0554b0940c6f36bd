import Expectations
import Foundation
import TestSupport

/// The pages lead where they say.
@Suite("pages of the documentation")
struct PageTests {
    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: packageRoot.appending(path: path).path)
    }

    /// The articles of all modules.
    private func articles() throws -> [String] {
        try ["Backends", "Conformance", "Sources"].flatMap { folder in
            try FileManager.default
                .subpathsOfDirectory(atPath: packageRoot.appending(path: folder).path)
                .filter { $0.hasSuffix(".md") && $0.contains(".docc/") }
                .map { "\(folder)/\($0)" }
        }
    }

    @Test("the files that the pages at the top link and name exist")
    func files() throws {
        for page in ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"] {
            let content = try text(page)
            let links = content.matches(of: #/\]\(([^)#]+)[^)]*\)/#).map { String($0.output.1) }
                .filter { !$0.hasPrefix("http") }
            let names = content.matches(
                of: #/`((?:Backends|Conformance|Examples|Sources|Tests|\.ci)/[\w./+-]+)`/#
            ).map { String($0.output.1) }
            expect(page == "SECURITY.md" || !links.isEmpty)
            for file in links + names { expect(exists(file), "\(page): \(file)") }
        }
    }

    @Test("the articles that an article names are beside it")
    func neighbors() throws {
        let pages = try articles()
        expect(pages.count > 20)
        for article in pages {
            let folder = article.split(separator: "/").dropLast().joined(separator: "/")
            for link in try text(article).matches(of: #/<doc:([^>]+)>/#) {
                expect(exists("\(folder)/\(link.output.1).md"), "\(article): \(link.output.0)")
            }
        }
    }

    @Test("the map of the code names what is there, in forty words")
    func architecture() throws {
        let page = try text("ARCHITECTURE.md")
        let files = try ["Backends", "Conformance", "Sources"].flatMap { folder in
            try FileManager.default
                .subpathsOfDirectory(atPath: packageRoot.appending(path: folder).path)
        }
        let names = Set(
            files.compactMap { $0.firstMatch(of: #/(\w+)(\+\w+)?\.swift$/#)?.output.1 })
        let manifest = try text("Package.swift")
        for name in Set(page.matches(of: #/`([A-Z]\w+)/#).map(\.output.1)) {
            let isThere =
                names.contains(name) || manifest.contains("\"\(name)\"") || exists("\(name)")
            expect(isThere, "\(name)")
        }
        let words = page.split(separator: "## Words")[1].matches(of: #/\n\| (?!word|---)/#)
        expect(words.count <= 40)
    }

    @Test("nothing stands at the top but what the package is made of")
    func topLevel() throws {
        let known =
            #/\..+|(ARCHITECTURE|CONTRIBUTING|README|SECURITY)\.md|LICENSE|Makefile|Package\.\w+/#
        let folders = ["Backends", "Conformance", "Examples", "findings", "Sources", "Tests"]
        let found = try FileManager.default.contentsOfDirectory(atPath: packageRoot.path)
        expect(found.filter { $0.wholeMatch(of: known) == nil && !folders.contains($0) }, is: [])
    }

    @Test(
        "Each example of a page is the code of a file that is tested",
        arguments: [
            ("BrowserModel", "BrowserModel", "Context/ModelExample", 3),
            ("BrowserModel", "DeviceSettings", "Settings/SettingsFile", 2),
            ("BrowserModel", "WebEngines", "Context/EngineExample", 1),
            ("SessionRestoration", "SessionRestoration", "Saving/ObserverExample", 2),
            ("SessionRestoration", "Structure", "Restoring/StructureExample", 6),
            ("SessionTesting", "SessionTesting", "Example", 8),
        ])
    func examples(of target: String, page: String, tests: String, count: Int) throws {
        let examples = try SwiftExamples(in: "Sources/\(target)/\(target).docc/\(page).md")
        expect(try examples.missing(in: "Tests/\(target)Tests/\(tests)Tests.swift"), is: [])
        expect(examples.count, is: count)
    }

    @Test("the README is short, and leads to every article")
    func map() throws {
        let readme = try text("README.md")
        expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
        for article in try articles() { expect(readme.contains("](\(article))"), "\(article)") }
    }
}
