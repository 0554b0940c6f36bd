import BrowserModel
import BrowserSessions
import Expectations
import Foundation
import SessionRestoration
import TestSupport

@testable import readmehost

/// What the README and the guide say is so.
@Suite("claims of the README")
struct ClaimTests {
    @Test("the example prints the line that stands beside it")
    @MainActor func printedLine() async throws {
        let example = try text("Tests/ReadmeHost/Browser.swift")
        let line = try require(example.firstMatch(of: /\/\/ Prints: (.+)/)?.output.1)
        let folder = TemporaryFolder()
        for launch in 0..<2 {
            let browser = try await Browser(store: folder.file("store"))
            if launch == 0 {
                try browser.browse()
            } else {
                expect(browser.sessions.report?.description, is: String(line))
            }
            try await browser.quit()
        }
    }

    @Test("the manifests need the Swift that it names, and name the package whatever its folder is")
    func manifests() throws {
        let swift = try require(
            try text("README.md").firstMatch(of: /with Swift (\d+\.\d+)/)?.output.1)
        let manifests = [
            "Package.swift", "Tests/OutsideBackend/Package.swift",
            "Examples/WebKitBrowser/Package.swift",
            "Sources/StorageCheck/Init/NewPackage+Folder.swift",
        ]
        for manifest in manifests {
            let version = try text(manifest).firstMatch(of: /swift-tools-version: (\S+)/)?.output.1
            expect(version, is: swift, "\(manifest)")
        }
        for page in manifests + ["README.md"] {
            let unnamed = try text(page).matches(of: /\.package\(\s*path:/)
            expect(unnamed.isEmpty, "\(page): .package(path:) works only in a clone of one name")
        }
    }

    @Test("the tests and requirements that the threat model names are there")
    func threats() throws {
        let page = try text("SECURITY.md")
        let contract = try text("Sources/BrowserSessions/BrowserSessions.docc/Contract.md")
        let requirements = page.matches(of: /[A-Z]+-\d+/).map(\.output).filter { $0 != "AES-256" }
        expect(requirements.count > 5)
        for requirement in requirements {
            expect(contract.contains("### \(requirement)\n"), "\(requirement)")
        }
        let suites = page.matches(of: /`(\w+Tests)`/).map(\.output.1)
        expect(suites.count > 15)
        let sources = try FileManager.default
            .subpathsOfDirectory(atPath: packageRoot.appending(path: "Tests").path)
            .filter { $0.hasSuffix(".swift") }
        for suite in suites {
            let files = sources.filter { $0.hasSuffix("/\(suite).swift") }
            expect(files.isEmpty, is: false, "\(suite)")
        }
    }

    @Test("pages with figures say how old these are, and very old ones fail")
    func figures() throws {
        let outcome = try ProgramOutcome(
            of: ["/usr/bin/env", "perl", packageRoot.appending(path: ".ci/measured").path],
            environment: ["MEASURED_MOST": "-1"])
        let text = outcome.output + outcome.messages
        if text.contains("has not the whole history") || text.contains("no repository") { return }
        expect(outcome.status, is: 1)
        for words in ["ChoosingABackend.md: error", "Promises.md: error", "again: make powerlab"] {
            expect(text.contains(words), "\(text)")
        }
        expect(text.contains("storagebench report .build/bench.json --readme \(Self.measured)"))
        expect(text.contains("&& perl .ci/measured --rows"))
    }

    /// The page with all figures.
    private static let measured = "Sources/BrowserSessions/BrowserSessions.docc/ChoosingABackend.md"

    @Test("the figures of the README are those of the page with all of them, and of its revision")
    func rows() throws {
        let readme = try text("README.md")
        let page = try text(Self.measured)
        let start = try require(page.firstRange(of: "### Survives a power cut"))
        let end = try require(page.firstRange(of: "Written by one operation:"))
        let table = page[start.lowerBound..<end.lowerBound].split(separator: "\n")
        let lines = readme.split(separator: "\n")
        let header = try require(lines.firstIndex { $0.hasPrefix("| work | tabs |") })
        let rows = lines[header...].prefix { $0.hasPrefix("|") }
        expect(rows.count, is: 6)
        for row in rows {
            expect(table.contains { $0.hasPrefix(row) }, "\(row)\nagain: perl .ci/measured --rows")
        }
        let revision = try require(readme.firstMatch(of: /at revision `([0-9a-f]+)`/)?.output.1)
        expect(page.contains("\n| revision | \(revision) |\n"))
    }
}
