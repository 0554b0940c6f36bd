import BrowserSessions
import Expectations
import Foundation
import StorageEngines
import TestSupport

/// `export --as`: files of other browsers and for people.
struct ExportFormatTests {
    private let workspace = Workspace()
    private let store: String

    init() throws { store = try workspace.imported("directory") }

    static let folders = ["chromium", "chrome-ios", "firefox-ios"]

    @Test(arguments: ["firefox", "chromium", "chrome-ios", "firefox-ios"])
    func whatIsWrittenIsImportedAgain(format: String) throws {
        let path = workspace.file("out")
        let answer = try Tool.run(
            ["export", path, "--as", format, "--storage", store, "--format", "json"]).json()
        expect(answer["format"], is: .text(format))
        let kind = Self.folders.contains(format) ? 0o700 : 0o600
        expect(try FileSystem.status(path)?.permissions == UInt32(kind))
        let other = workspace.store("sqlite", "other")
        try Tool.run(["import", path, "--storage", other]).expectSuccess()
        let list = try Tool.run(["list", "--storage", other, "--format", "json"]).json()
        let tabs = list.elements.reduce(0) { $0 + ($1["tabs"].integer ?? 0) }
        let written = answer["written"]
        expect(tabs > 0)
        expect(tabs, is: (written["tabs"].integer ?? 0) + (written["closedTabs"].integer ?? 0))
    }

    @Test(arguments: ["bookmarks", "markdown", "html"])
    func listsGoIntoAFolderUnderTheirName(format: String) throws {
        let folder = workspace.file("folder")
        try FileSystem.makeDirectory(folder)
        let outcome = try Tool.run(["export", folder, "--as", format, "--storage", store])
            .expectSuccess()
        let names = [
            "markdown": "sessions.md", "bookmarks": "bookmarks.html", "html": "sessions.html",
        ]
        let name = try require(names[format])
        expect(try FileSystem.contents(of: folder) == [name])
        expect(outcome.contains("\(folder)/\(name)"))
        expect(outcome.contains("not held by \(format): "))
        let text = try Tool.run(["export", "-", "--as", format, "--storage", store])
        expect(text.output.contains("https://"))
        expect(text.messages.isEmpty)
    }

    @Test func bytesThatAreNoTextGoToStandardOutputAsTheyAre() throws {
        let paths = ["file", "stream"].map { workspace.file("\($0)/sessionstore.jsonlz4") }
        for path in paths { try FileSystem.makeDirectory(FileSystem.parent(of: path)) }
        try Tool.run(["export", paths[0], "--as", "firefox", "--storage", store]).expectSuccess()
        try Shell.run(
            "$SESSIONCTL export - --as firefox --storage $STORE > $FILE",
            ["STORE": store, "FILE": paths[1]]
        ).expectSuccess(isSilent: true)
        // The name of the format and the size; behind them is when it was written.
        let (file, found) = (try FileSystem.read(paths[0]), try FileSystem.read(paths[1]))
        expect(file.prefix(8), is: [UInt8]("mozLz40\0".utf8)[...])
        expect(found.prefix(12), is: file.prefix(12))
        expect(found.positions(of: "\u{FFFD}").isEmpty)
        let answers = try [file, found].enumerated().map { number, bytes in
            let other = workspace.store("sqlite", "other-\(number)")
            try FileSystem.replace(paths[0], with: bytes)
            let imported = try Tool.run(["import", paths[0], "--storage", other]).expectSuccess()
            return imported
        }
        expect(answers[0], is: answers[1])
    }

    @Test func aFolderThatIsThereStays() throws {
        let folder = workspace.file("folder")
        try FileSystem.makeDirectory(folder)
        try FileSystem.replace(folder + "/precious", with: [7])
        try Tool.run(["export", folder, "--as", "chromium", "--storage", store]).expectRefusal(
            "is there already and stays as it is")
        expect(try FileSystem.contents(of: folder) == ["precious"])
        let missing = ["export", workspace.file("missing/out"), "--as", "chrome-ios"]
        try Tool.run(missing + ["--storage", store]).expectRefusal("missing/out")
        expect(try !FileSystem.exists(workspace.file("missing")))
        try Tool.run(["export", folder, "--as", "netscape", "--storage", store]).expectRefusal(
            "firefox-ios", status: 64)
        try Tool.run(["export", "-", "--as", "chromium", "--storage", store]).expectRefusal(
            status: 64)
    }

    @Test func tabsIncognitoAreWrittenIfAskedFor() throws {
        let without = try Tool.run(["export", "-", "--as", "markdown", "--storage", store])
        let with = try Tool.run(
            ["export", "-", "--as", "markdown", "--include-incognito", "--storage", store])
        expect(!without.output.contains("incognito"))
        expect(with.output.contains(" – incognito"))
        expect(with.output.utf8.count > without.output.utf8.count)
    }
}
