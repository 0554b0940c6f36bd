import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

/// Files as people have them are read, or named in the report.
struct ShapeTests {
    let folder = TemporaryFolder()

    private func shape(_ name: String) throws -> SessionImport {
        try SessionImporter().read(path: Fixtures.path("Shapes/" + name))
    }

    private func read(_ bytes: [UInt8], _ name: String = "list.txt") throws -> SessionImport {
        try SessionImporter().read(path: try folder.write(bytes, to: name))
    }

    private func read(_ text: String, _ name: String = "list.txt") throws -> SessionImport {
        try read(Array(text.utf8), name)
    }

    private func urls(_ result: SessionImport) -> [String] {
        result.sessions.flatMap { $0.tabs.map(\.metadata.url) }
    }

    private func titles(_ result: SessionImport) -> [String] {
        result.sessions.flatMap { $0.tabs.map(\.metadata.title) }
    }

    private func groups(_ result: SessionImport) -> [[Int]] {
        result.sessions.map { session in
            session.nodes.map { group in
                session.tabs.count { $0.metadata.group == group.id }
            }
        }
    }

    // MARK: Lists

    private static let ab = ["https://example.org/a", "https://example.org/b"]

    @Test func listsOfEveryForm() throws {
        let expected: [(String, [String], [String])] = [
            ("bom.txt", ["https://example.org/first", "https://example.org/second"], ["", ""]),
            ("utf16.txt", ["https://example.org/first", "https://example.org/second"], ["", ""]),
            ("titleurl.txt", Self.ab, ["Page A", "Page B"]),
            ("urltitle.tsv", Self.ab, ["Page A", "Page B"]),
            ("list.md", Self.ab, ["Page A", "Page B"]),
        ]
        for (name, links, names) in expected {
            let result = try shape(name)
            expect(urls(result) == links && titles(result) == names, "\(name)")
            expect(result.report.sources[0].problems, is: [], "\(name)")
            expect(groups(result), is: [[]], "\(name)")
        }
    }

    @Test func spacesOfAnAddressAreWrittenAsTheyShould() throws {
        let result = try shape("spaces.txt")
        expect(
            urls(result),
            is: [
                "https://example.org/a%20b%20c", "https://example.org/ok", "https://exämple.org/ü",
            ])
        expect(result.report.sources[0].problems.map(\.location), is: ["line 1"])
    }

    @Test func blankLinesAreGroups() throws {
        expect(groups(try shape("groups.txt")), is: [[2, 1]])
        let tabs = try shape("onetab.txt")
        expect(groups(tabs), is: [[2, 2]])
        expect(titles(tabs), is: ["Page A", "Page B | with pipe", "Page C", ""])
        expect(urls(tabs)[1], is: "https://example.org/b?x=1|2")
        let named = try read("Work\nhttps://a.org/\nhttps://b.org/\n\nHome\n\nhttps://c.org/\n")
        expect(named.sessions[0].nodes.map(\.name), is: ["Work", "Home"])
        expect(groups(named), is: [[2, 1]])
    }

    @Test(arguments: [true, false], [true, false])
    func utf16WithAndWithoutMark(isBig: Bool, hasMark: Bool) throws {
        let text = "Überschrift\thttps://example.org/ü\r\nB | x\thttps://example.org/b\r\n"
        var bytes: [UInt8] = hasMark ? (isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]) : []
        for unit in text.utf16 {
            let pair = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
            bytes += isBig ? pair.reversed() : pair
        }
        let result = try read(bytes)
        expect(urls(result), is: ["https://example.org/ü", "https://example.org/b"])
        expect(titles(result), is: ["Überschrift", "B | x"])
    }

    @Test func oldEncodingsAndLineEndsAreRead() throws {
        let latin = try read(Array("Gr".utf8) + [0xFC] + Array("n\thttps://a.org/\r".utf8))
        expect(titles(latin), is: ["Grün"])
        expect(latin.report.sources[0].problems.map(\.severity), is: [.repair])
        let old = try read("https://a.org/\rhttps://b.org/\r")
        expect(urls(old), is: ["https://a.org/", "https://b.org/"])
    }

    @Test(arguments: [
        "1. https://a.org/ – A title", "* [A title](https://a.org/ \"hint\")",
        "A title https://a.org/",
        "> - [x] [A title](<https://a.org/>)", "A title | https://a.org/",
        "\"A title\",\"https://a.org/\"",
        "https://a.org/ | A title", "\thttps://a.org/\tA title", "A title — https://a.org/",
    ])
    func lines(_ line: String) throws {
        let result = try read("\(line)\nhttps://b.org/\n")
        expect(urls(result), is: ["https://a.org/", "https://b.org/"])
        expect(titles(result)[0], is: "A title")
        expect(result.report.sources[0].problems.filter { $0.severity == .loss }, is: [])
    }

    @Test func whatIsNoLinkIsNamed() throws {
        let result = try read("https://a.org/\nhttps://b.org/\njust words\n")
        expect(result.report.sources[0].problems.map(\.location), is: ["line 3"])
        expect(result.report.isDamaged)
    }

    // MARK: Sessions within pages

    @Test func theSessionOfACrashPageIsSetAside() throws {
        let result = try shape("crashpage.json")
        expect(urls(result), is: (0...4).map { "https://example.org/lost\($0)" })
        expect(result.sessions.map(\.id.kind), is: [.setAside])
        expect(result.report.sources[0].problems.map(\.severity), is: [.repair])
    }

    @Test(arguments: [false, true])
    func crashPagesWithinCrashPages(isText: Bool) throws {
        func page(_ inner: JSONValue) -> JSONValue {
            let data = isText ? .string(String(decoding: inner.encoded(), as: UTF8.self)) : inner
            let entry: JSONValue = .object(["url": .string("about:sessionrestore")])
            let form: JSONValue =
                isText
                ? .object(["#sessionData": data]) : .object(["id": .object(["sessionData": data])])
            return .object(["entries": .array([entry]), "index": .integer(1), "formdata": form])
        }
        func tab(_ url: String) -> JSONValue {
            .object(["entries": .array([.object(["url": .string(url)])]), "index": .integer(1)])
        }
        func session(_ tabs: [JSONValue]) -> JSONValue {
            .object(["windows": .array([.object(["tabs": .array(tabs)])])])
        }
        let inner = session([tab("https://c.org/")])
        let middle = session([tab("https://b.org/"), page(inner)])
        let result = try read(session([tab("https://a.org/"), page(middle)]).encoded(), "a.json")
        expect(urls(result), is: ["https://a.org/", "https://b.org/", "https://c.org/"])
        expect(result.sessions.map(\.id.kind), is: [.regular, .setAside, .setAside])
    }

    @Test func parkedTabsHaveTheAddressBehind() throws {
        let result = try shape("parked.json")
        let group =
            "moz-extension://11111111-2222-4333-8444-555555555555/page.group/group.html#Work"
        expect(
            urls(result),
            is: [
                "https://example.org/docs?a=1", "https://example.org/b", group,
                "about:sessionrestore", "https://example.org/article",
            ])
        expect(titles(result), is: ["Docs page", "B", "Work", "Restore Session", "Article"])
        let problems = result.report.sources[0].problems
        expect(problems.count { $0.severity == .repair }, is: 3)
        expect(problems.count { $0.severity == .note }, is: 1)
        expect(!"\(problems)".contains("example.org"))
    }

    @Test(
        arguments: [
            (
                "chrome-extension://a/suspended.html#ttl=T&pos=0&uri=https://a.org/?x=1&y=2#z",
                "https://a.org/?x=1&y=2#z"
            ),
            (
                "chrome-extension://a/park.html?title=T&url=https%3A%2F%2Fa.org%2F%3Fx%3D1&tabId=7",
                "https://a.org/?x=1"
            ),
            (
                "moz-extension://a/p.html?url=https://a.org/?x=1&y=2&title=T",
                "https://a.org/?x=1&y=2"
            ),
            ("moz-extension://a/url.html#https%3A%2F%2Fa.org%2F", "https://a.org/"),
            (
                "moz-extension://a/p.html?url=about%3Areader%3Furl%3Dhttps%253A%252F%252Fa.org%252F",
                "https://a.org/"
            ),
            ("about:neterror?e=dnsNotFound&u=https%3A//a.org/&c=UTF-8", "https://a.org/"),
            ("http://localhost:6571/reader-mode/page?url=https%3A%2F%2Fa.org%2F", "https://a.org/"),
            ("chrome-distiller://1_2/?title=T&url=https%3A%2F%2Fa.org%2F", "https://a.org/"),
            ("https://a.org/?url=https%3A%2F%2Fb.org%2F", nil), ("about:preferences?url=x", nil),
            ("moz-extension://a/options.html?url=none", nil),
            ("chrome-extension://a/suspended.html#uri=javascript:alert(1)", nil),
        ] as [(String, String?)])
    func addressesBehind(_ url: String, _ behind: String?) {
        expect(ParkedAddress.behind(url), is: behind)
    }

    @Test func aPageBeforeItsParkedSelfIsOneEntry() throws {
        let parked = "chrome-extension://a/suspended.html#ttl=Own%20title&uri=https://a.org/2"
        let file = #"""
            {"windows":[{"tabs":[{"entries":[{"url":"https://a.org/1"},{"url":"https://a.org/2"},
            {"url":"\#(parked)"}],"index":3}]}]}
            """#
        let tab = try require(try read(file, "a.json").sessions.first?.tabs.first)
        let history = try tab.history()
        expect(history.entries.map(\.url), is: ["https://a.org/1", "https://a.org/2"])
        expect(history.currentIndex == 1 && tab.metadata.navigationItemCount == 2)
        expect(tab.metadata.title, is: "Own title")
    }

    // MARK: Other programs

    @Test(arguments: [
        ("sb3.json", "Session Buddy"), ("tsm.json", "Tab Session Manager"),
        ("fenix.json", "Firefox for Android"),
    ])
    func exportsOfOthersAreRefusedByName(_ name: String, _ program: String) throws {
        let error = expect(throws: StorageError.self) { try shape(name) }
        expect(error?.code, is: .incompatibleFormat)
        expect(error?.message.contains(program), is: true)
        let report = try SessionImporter().read(path: Fixtures.path("Shapes")).report
        let file = try require(report.untaken.first { $0.path.hasSuffix(name) })
        expect(file.reason == .otherProgram && file.detail.contains(program))
    }

    // MARK: Bookmarks

    @Test func bookmarksOfBrowsersAreRead() throws {
        let text = """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=ISO-8859-1">
            <TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
            <DL><p>
            <DT><H3 ADD_DATE="1">Bar</H3>
            <DL><p>
            <DT><A HREF="https://a.org/?x=1&amp;y=2" ADD_DATE="1700000000">Gr\u{FC}n &lt;1&gt;</A>
            <DT><H3>In</H3><DL><p><DT><A HREF='https://b.org/'>B</A>
            <DT><H3>Deep</H3><DL><p><DT><A HREF=https://c.org/>C</A></DL><p></DL><p>
            <DT><A HREF="https://d.org/">D</A>
            </DL><p>
            <DT><A HREF="https://e.org/">E</A>
            </DL><p>

            """
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        let result = try read(bytes, "b.html")
        expect(result.report.sources[0].problems, is: [])
        expect(result.report.sources[0].format, is: .bookmarks)
        expect(titles(result), is: ["Grün <1>", "B", "C", "D", "E"])
        expect(urls(result)[0], is: "https://a.org/?x=1&y=2")
        expect(result.sessions.map(\.attributes.title), is: ["Bar", ""])
        expect(result.sessions[0].nodes.map(\.name), is: ["In", "In / Deep"])
        let names = result.sessions[0].tabs.map { $0.metadata.group == nil }
        expect(names, is: [true, false, false, true])
    }

    /// Each folder in a folder has a title of its own, and no more of it than the file pays for.
    @Test func foldersInFolders() throws {
        let count = 10_000
        let text =
            "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>"
            + (0..<count).map {
                "<H3>folder \($0)</H3><DL><A HREF=\"https://a.org/\($0)\">A</A>"
            }
            .joined()
        let result = try read(Array(text.utf8), "b.html")
        expect(result.sessions.map(\.tabs.count), is: [count])
        let groups = result.sessions[0].nodes
        expect(groups.count, is: count - 1)
        expect(groups.last?.name.hasPrefix("… / folder 99"), is: true)
        expect(groups.allSatisfy { $0.name.utf8.count <= 400 })
        expect(
            result.report.sources[0].problems.contains { $0.message.contains("names of folders") })
    }
}
