import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

@Suite("Importing")
struct ImporterTests {
    let folder = TemporaryFolder()

    private func error(_ name: String, as format: SessionFormat? = nil) throws -> StorageError {
        try refusal { try SessionImporter().read(path: folder.file(name), as: format) }
    }

    @Test("Nothing at the path, what is no file, unknown, or too large are typed errors")
    func errors() throws {
        expect(try error("absent").code == .notFound)
        expect(throws: StorageError.self) { try SessionFormat.detect(path: folder.file("absent")) }
        try folder.write(Array("a poem".utf8), to: "poem.md")
        expect(try error("poem.md").code == .incompatibleFormat)
        try folder.write([], to: "nothing")
        expect(try error("nothing").code == .incompatibleFormat)
        try folder.write([1], to: "inner/a.bin")
        expect(try error("inner").code == .incompatibleFormat)
        expect(try error("poem.md", as: .chromiumSNSS).code == .incompatibleFormat)
        expect(try error("poem.md", as: .chromeIOS).code == .incompatibleFormat)
        expect(try error("poem.md", as: .firefoxDesktop).code == .corrupted)
        let device = try refusal { try SessionImporter().read(path: "/dev/null", as: .links) }
        expect(device.code, is: .unsupported)
        let path = try folder.write(SNSSSample.session(), to: "Session_1")
        let importer = SessionImporter(limits: .with(\.maximumFileBytes, 100))
        expect(try refusal { try importer.read(path: path) }.code == .tooLarge)
    }

    @Test(
        "A file without read permission says so",
        .enabled(if: geteuid() != 0, "an administrator may read every file"))
    func permission() throws {
        let path = try folder.write(SNSSSample.session(), to: "Session_1")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        expect(try error("Session_1").code == .permissionDenied)
    }

    #if os(Linux)
        @Test("A file that cannot be read is an error, not an empty file")
        func unreadable() throws {
            let error = expect(throws: StorageError.self) {
                try SessionImporter().read(path: "/proc/self/mem", as: .chromiumSNSS)
            }
            expect(error?.code != .notFound)
        }
    #endif

    @Test("Parts over the limit are left out and reported, in every format")
    func parts() throws {
        try writeMixture()
        try folder.remove("mix/Default/Session_2")
        try folder.write(
            Array("https://example.org/1\n\n\nhttps://example.org/4".utf8), to: "mix/list.txt")
        let result = try SessionImporter(limits: .with(\.maximumParts, 3)).read(
            path: folder.file("mix"))
        expect(result.report.sources.count, is: 6)
        expect(result.report.sources.filter(\.isDamaged).count, is: 6)
    }

    @Test("Limits may be as large as numbers are, in every format")
    func largestLimits() throws {
        try writeMixture()
        try folder.write(mozLZ4(FirefoxDesktopSample.text(tabs: 1)), to: "mix/b/recovery.jsonlz4")
        try folder.write(
            try Fixtures.archive(), to: "mix/Sessions/scene/session.plist")
        var limits = ImportLimits()
        for limit in [
            \ImportLimits.maximumFileBytes, \.maximumUnfolding, \.maximumStateBytes,
            \.maximumMetadataBytes, \.maximumTabs, \.maximumParts, \.maximumEntriesPerTab,
            \.maximumFolderDepth, \.maximumFiles, \.maximumSources, \.maximumProblems,
        ] {
            limits[keyPath: limit] = .max
        }
        let result = try SessionImporter(limits: limits).read(path: folder.file("mix"))
        let usual = try SessionImporter().read(path: folder.file("mix"))
        expect(result.sessions == usual.sessions && result.report == usual.report)
        expect(result.report.sources.count == 8 && !result.report.isDamaged)
    }

    @Test("A group that two windows have is in both, which is no damage")
    func groupInTwoWindows() throws {
        var log = SNSSWriter()
        for (tab, window) in [(Int32(11), Int32(1)), (12, 2)] {
            log.numbers(9, window, 0)
            log.numbers(0, window, tab)
            log.navigation(tab: tab, index: 0, url: "https://example.org/\(tab)", title: "\(tab)")
            log.group(tab, high: 5, low: 6)
        }
        log.pickle(27) {
            $0.int64(5)
            $0.int64(6)
            $0.string16("Reading")
            for value in [Int32(4), 1] { $0.int(value) }
        }
        log.record(255, [])
        try folder.write(log.bytes, to: "Session_1")
        let result = try SessionImporter().read(path: folder.file("Session_1"))
        expect(result.sessions.map { $0.nodes.map(\.name) }, is: [["Reading"], ["Reading"]])
        expect(Set(result.sessions.flatMap { $0.nodes.map(\.id) }).count, is: 2)
        expect(result.sessions.allSatisfy { $0.tabs[0].metadata.parent == $0.nodes[0].id })
        let problems = result.report.sources.flatMap(\.problems)
        expect(problems.contains { $0.message.contains("1 group with the id of one elsewhere") })
        expect(
            problems.allSatisfy { $0.severity == .note } && !result.report.isDamaged, "\(problems)")
    }

    private func writeMixture() throws {
        try folder.write(SNSSSample.session(), to: "mix/Default/Session_1")
        try folder.write(SNSSSample.tabs(), to: "mix/Default/Tabs_1")
        try folder.write(SNSSWriter(version: 4).bytes, to: "mix/Default/Session_2")
        try folder.write(FirefoxDesktopSample.text(tabs: 2), to: "mix/recovery.js")
        try folder.write(
            FirefoxIOSSample.file(tabs: 2),
            to: "mix/ios/window-data/window-" + FirefoxIOSSample.window)
        try folder.write(Array("https://example.org/\n".utf8), to: "mix/list.txt")
        try Golden.write(to: folder, "mix/chrome/SessionStorage/scene")
        try folder.write(Array("readme".utf8), to: "mix/README.md")
    }

    @Test("A folder gives everything in it; what is not taken is named")
    func mixture() throws {
        try writeMixture()
        let result = try SessionImporter().read(path: folder.file("mix"))
        expect(result.report.sources.count, is: 6)
        expect(result.report.totals.tabs, is: 3 + 2 + 2 + 1 + 3)
        expect(result.report.totals.closedTabs, is: 3)
        expect(result.report.untaken.map { lastComponent($0.path) }, is: ["Session_2"])
        expect(result.report.untaken.map(\.reason), is: [.encrypted])
        expect(result.report.otherFiles == 1 && result.report.notes.isEmpty)
        expect(!result.report.isDamaged)
        let links = try SessionImporter().read(path: folder.file("mix"), as: .links)
        expect(links.report.totals.tabs, is: 1)
        expect(links.report.untaken.count, is: 6)
        expect(links.report.untaken.allSatisfy { $0.reason == .otherFormat })
        expect(!links.report.isDamaged)
    }

    @Test("What fails in a folder is reported, not thrown")
    func failures() throws {
        try writeMixture()
        try folder.write(Array("{\"tabData\":".utf8), to: "mix/window-" + FirefoxIOSSample.window)
        try folder.write(SNSSWriter(version: 4).bytes, to: "mix/copy of a log")
        try folder.write(Array("bplist00".utf8), to: "mix/session.plist")
        let report = try SessionImporter().read(path: folder.file("mix")).report
        expect(report.isDamaged)
        expect(
            report.sources.filter(\.isDamaged).map { lastComponent($0.path) },
            is: ["window-" + FirefoxIOSSample.window])
        let reasons = Dictionary(
            uniqueKeysWithValues: report.untaken.map { (lastComponent($0.path), $0.reason) })
        expect(
            reasons,
            is: [
                "Session_2": .encrypted, "copy of a log": .encrypted, "session.plist": .damaged,
            ])
        expect(report.untaken.allSatisfy { !$0.detail.isEmpty })
    }

    @Test("Importing again gives the same sessions, and a copy elsewhere gives no second ones")
    func again() throws {
        try writeMixture()
        let first = try SessionImporter().read(path: folder.file("mix"))
        let second = try SessionImporter().read(path: folder.file("mix"))
        expect(first.sessions, is: second.sessions)
        try FileManager.default.copyItem(atPath: folder.file("mix"), toPath: folder.file("copy"))
        expect(rename(folder.file("copy"), folder.file("mix/zz-copy")), is: 0)
        expect(try SessionImporter().read(path: folder.file("mix")).sessions, is: first.sessions)
    }

    @Test("Two files with other contents share no identifier")
    func apart() throws {
        for name in ["one", "two"] {
            let tab = FirefoxDesktopSample.tab(name.count, #","note":"\#(name)""#)
            try folder.write(FirefoxDesktopSample.text([tab]), to: name + "/recovery.js")
        }
        let one = try SessionImporter().read(path: folder.file("one/recovery.js")).sessions[0]
        let two = try SessionImporter().read(path: folder.file("two/recovery.js")).sessions[0]
        expect(one.id != two.id && one.tabs[0].metadata.id != two.tabs[0].metadata.id)
        let form = one.tabs[0].metadata.id.description
        expect(form.dropFirst(14).first == "8" && "89AB".contains(form.dropFirst(19).prefix(1)))
    }

    @Test("The same session directory with other tabs gets new ids instead of hiding them")
    func clash() throws {
        try Golden.write(to: folder, "a/SessionStorage/scene")
        try Golden.write(to: folder, "b/SessionStorage/scene")
        var writer = ChromeIOSWriter()
        writer.tabs = [
            .init(id: 1001, title: "changed", urls: ["https://changed.example/"]),
            .init(id: 9, title: "child", urls: ["https://child.example/"], opener: (0, 0)),
        ]
        writer.active = 0
        try writer.write(to: folder, "b/SessionStorage/scene")
        let result = try SessionImporter().read(path: folder.file(""))
        expect(Set(result.sessions.map(\.id)).count, is: result.sessions.count)
        let tabs = result.sessions.flatMap(\.tabs)
        expect(Set(tabs.map(\.metadata.id)).count, is: tabs.count)
        let changed = try require(tabs.first { $0.metadata.title == "changed" })
        let child = try require(tabs.first { $0.metadata.title == "child" })
        expect(child.metadata.opener?.tab, is: changed.metadata.id)
        let session = try require(result.sessions.first { $0.tabs.contains(changed) })
        expect(session.attributes.activeTab, is: changed.metadata.id)
    }

    @Test("The incognito flag makes every session incognito")
    func incognito() throws {
        try writeMixture()
        let result = try SessionImporter().read(path: folder.file("mix"), incognito: true)
        expect(result.sessions.count, is: 8)
        expect(result.sessions.allSatisfy { $0.id.partition == .incognito })
    }

    @Test("Neither addresses nor titles get into a report or an error")
    func silence() throws {
        try writeMixture()
        let report = try SessionImporter().read(path: folder.file("mix")).report
        let texts = report.notes + report.sources.flatMap { $0.problems.map(\.description) }
        expect(!texts.contains { $0.contains("example") || $0.contains("Tab ") })
    }

    @Test("What a path is can be asked")
    func detect() throws {
        try writeMixture()
        let expected: [(String, SessionFormat?)] = [
            ("mix/Default/Session_1", .chromiumSNSS), ("mix/recovery.js", .firefoxDesktop),
            ("mix/ios", .firefoxIOS), ("mix/chrome", .chromeIOS), ("mix/list.txt", .links),
            ("mix/chrome/SessionStorage/scene", .chromeIOS), ("mix/README.md", nil), ("mix", nil),
        ]
        for (name, format) in expected {
            expect(try SessionFormat.detect(path: folder.file(name)) == format, "\(name)")
        }
    }
}
