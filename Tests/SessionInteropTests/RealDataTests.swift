import BrowserSessions
import Expectations
import Foundation
import SessionInterop
import TestSupport

/// Files of other programs, with counts from readers that share no code with ours. Small ones are in the
/// tree, larger ones in a folder that the environment names; without that their tests are skipped, which
/// the test run shows.
struct RealDataTests {
    struct Expected: Sendable, CustomTestStringConvertible {
        var path: String
        var counts = ImportCounts()
        var testDescription: String { path }

        /// Open tabs, or those that were closed: the numbers of records, tabs, windows, distinct
        /// navigations and entries.
        init(_ path: String, _ numbers: [Int]) {
            self.path = path
            (counts.records, counts.distinctNavigations) = (numbers[0], numbers[3])
            let keys: [WritableKeyPath<ImportCounts, Int>] =
                path.hasSuffix("Tabs")
                ? [\.closedTabs, \.closedWindows, \.closedEntries] : [\.tabs, \.windows, \.entries]
            for (key, number) in zip(keys, [numbers[1], numbers[2], numbers[4]]) {
                counts[keyPath: key] = number
            }
        }
    }

    static let logs: [Expected] = [
        .init("scraperjs-chromium/1e566fd-profile-Default/Current Session", [29, 2, 1, 3, 3]),
        .init("scraperjs-chromium/1e566fd-profile-Default/Current Tabs", [6, 2, 1, 3, 3]),
        .init("scraperjs-chromium/1e566fd-profile-Default/Last Session", [28, 2, 1, 3, 3]),
        .init("scraperjs-chromium/1e566fd-profile-Default/Last Tabs", [6, 2, 1, 3, 3]),
        .init("scraperjs-chromium/321c767-profile/Current Session", [46, 0, 0, 7, 0]),
        .init("scraperjs-chromium/321c767-profile/Current Tabs", [9, 2, 0, 7, 7]),
        .init("scraperjs-chromium/321c767-profile-Default/Current Session", [238, 1, 1, 16, 1]),
        .init("scraperjs-chromium/321c767-profile-Default/Current Tabs", [20, 6, 0, 14, 14]),
        .init("scraperjs-chromium/321c767-profile-Default/Last Session", [31, 2, 1, 3, 3]),
        .init("scraperjs-chromium/321c767-profile-Default/Last Tabs", [6, 2, 1, 3, 3]),
        .init("hunpy-chrome/0bb77cc/Current Session", [17, 1, 1, 2, 2]),
        .init("hunpy-chrome/0bb77cc/Current Tabs", [3, 1, 0, 2, 2]),
        .init("hunpy-chrome/0bb77cc/Last Session", [19, 1, 1, 2, 2]),
        .init("hunpy-chrome/0bb77cc/Last Tabs", [3, 1, 0, 2, 2]),
        .init("hunpy-chrome/6650eef/Current Session", [17, 1, 1, 2, 2]),
        .init("hunpy-chrome/6650eef/Current Tabs", [3, 1, 0, 2, 2]),
        .init("hunpy-chrome/6650eef/Last Session", [17, 1, 1, 2, 2]),
        .init("hunpy-chrome/6650eef/Last Tabs", [3, 1, 0, 2, 2]),
    ]

    @Test(
        "A session log gives the counts of an independent reader",
        arguments: logs.filter { RealData.has($0.path) })
    func sessionLog(_ expected: Expected) throws {
        let result = try SessionImporter().read(path: RealData.path(expected.path))
        expect(result.report.totals, is: expected.counts)
        expect(!result.report.isDamaged)
        for tab in result.sessions.flatMap(\.tabs) {
            expect(!tab.metadata.url.isEmpty)
            expect(tab.states[.navigation] != nil)
        }
    }

    @Test("Firefox sessions give the counts of an independent reader")
    func firefox() throws {
        var talos = ImportCounts()
        (talos.windows, talos.tabs, talos.entries, talos.subframeEntries) = (1, 83, 170, 238)
        (talos.closedTabs, talos.closedEntries) = (6, 7)
        var gecko = ImportCounts()
        (gecko.windows, gecko.tabs, gecko.entries) = (1, 2, 3)
        for (path, counts) in [
            ("mozilla-talos/sessionstore.localhost.js", talos),
            ("mozilla-gecko/sessionstore_complete.json", gecko),
        ] where RealData.has(path) {
            let result = try SessionImporter().read(path: RealData.path(path))
            expect(result.report.totals, is: counts)
            expect(!result.report.isDamaged, "\(result.report.sources)")
        }
    }

    @Test("An index beyond the entries is repaired and said")
    func index() throws {
        let result = try SessionImporter().read(
            path: RealData.path("mozilla-gecko/sessionstore_complete.json"))
        let problem = try require(result.report.sources.first?.problems.first)
        expect(problem.severity, is: .repair)
        expect(problem.location, is: "windows[0].tabs[0].index")
        let tab = try require(result.sessions.first?.tabs.last)
        let history = try tab.history()
        expect(history.entries.count == 2 && history.currentIndex == 1)
        expect(tab.metadata.url, is: history.entries[1].url)
    }

    @Test(
        "A changed byte costs no more than one address of a real file",
        arguments: [
            "mozilla-talos/sessionstore.localhost.js", "mozilla-gecko/sessionstore_complete.json",
            "scraperjs-chromium/321c767-profile-Default/Current Tabs",
            "scraperjs-chromium/1e566fd-profile-Default/Current Session",
            "hunpy-chrome/0bb77cc/Last Tabs",
        ].filter { RealData.has($0) })
    func changedBytes(path: String) throws {
        let folder = TemporaryFolder()
        let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: RealData.path(path))))
        let name = String(path.split(separator: "/").last ?? "")
        func addresses(_ bytes: [UInt8]) throws -> Set<String> {
            let path = try folder.write(bytes, to: name)
            let sessions = try SessionImporter().read(path: path).sessions
            return Set(
                sessions.flatMap { session in
                    session.tabs.map { "\(session.id.kind.rawValue) \($0.metadata.url)" }
                })
        }
        let all = try addresses(sound)
        let step = max(sound.count / TestRun.amount(20, nightly: 500), 1)
        for place in stride(from: 12, to: sound.count, by: step) {
            var damaged = sound
            damaged[place] ^= [0x01, 0x20, 0xFF][place / step % 3]
            expect(all.subtracting(try addresses(damaged)).count <= 1, "byte \(place)")
        }
    }

    @Test("All links of the volume file come out, with windows and groups", RealData.isNamed)
    func links() throws {
        let result = try SessionImporter().read(
            path: RealData.path("free-programming-books/links.tsv"))
        expect(result.report.totals.tabs, is: 10_876)
        expect(result.report.totals.windows, is: 117)
        // One of the 2,275 sections has an empty name: its seven links are in no group.
        expect(result.report.totals.groups, is: 2_274)
        expect(!result.report.isDamaged)
        let urls = Set(result.sessions.flatMap { $0.tabs.map(\.metadata.url) })
        expect(urls.count, is: 10_675)
    }

    @Test("The whole folder is imported at once, each session and tab once", RealData.isNamed)
    func everything() throws {
        let folder = try RealData.recordedFiles()
        let result = try SessionImporter().read(path: folder.path, scope: .everything)
        expect(result.report.sources.count, is: 21)
        expect(Set(result.sessions.map(\.id)).count, is: result.sessions.count)
        let tabs = result.sessions.flatMap { $0.tabs.map(\.metadata.id) }
        expect(Set(tabs).count, is: tabs.count)
        expect(result.report.otherFiles, is: 1)
        let again = try SessionImporter().read(path: folder.path, scope: .everything)
        expect(again.sessions, is: result.sessions)
    }

    @Test("Of each profile the newest log of each kind is taken", RealData.isNamed)
    func restorable() throws {
        let folder = try RealData.recordedFiles()
        let report = try SessionImporter().read(path: folder.path).report
        expect(report.sources.count, is: 13)
        expect(report.untaken.count, is: 8)
        expect(report.untaken.allSatisfy { $0.path.contains("/Last ") && $0.reason == .older })
        expect(!report.isDamaged)
    }
}

/// Where the real files are.
enum RealData {
    /// The variable that names a folder with all of them.
    static let variable = "BROWSER_SESSIONS_REAL_DATA"

    private static var folder: String? {
        ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// A condition of tests that need the folder.
    static var isNamed: ConditionTrait {
        .enabled(if: folder != nil, "\(variable) names no folder of real session files")
    }

    /// In the tree if it is there, else in the folder.
    static func path(_ name: String) -> String {
        let own = Bundle.module.resourceURL.map { $0.path + "/Fixtures/Real/" + name } ?? ""
        return FileManager.default.fileExists(atPath: own) ? own : "\(folder ?? "")/\(name)"
    }

    static func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    /// A copy of what programs of others wrote, and of the index: the folder has files of our own, too.
    static func recordedFiles() throws -> TemporaryFolder {
        let copy = TemporaryFolder()
        let folder = folder ?? ""
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where name != "shapes" {
            try FileManager.default.copyItem(
                atPath: "\(folder)/\(name)", toPath: "\(copy.path)/\(name)")
        }
        return copy
    }
}
