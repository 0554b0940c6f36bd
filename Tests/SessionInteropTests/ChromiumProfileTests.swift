import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

/// Which logs of a profile of Chromium are taken, and what the report says of the others.
@Suite("Profiles of Chromium")
struct ChromiumProfileTests {
    let folder = TemporaryFolder()

    /// A log of so many open tabs.
    private func open(_ tabs: Int32, version: Int32 = 3, isFinished: Bool = true) -> [UInt8] {
        SNSSSample.open(tabs, version: version, isFinished: isFinished).bytes
    }

    /// A log of so many closed tabs.
    private func closed(_ tabs: Int32, version: Int32 = 3) -> [UInt8] {
        var log = SNSSWriter(version: version)
        for tab in 0..<tabs {
            log.closedTab(tab + 1, selected: 0, 13_346_873_882_166_178)
            log.navigation(
                1, tab: tab + 1, index: 0, url: "https://example.org/c/\(tabs)/\(tab)", title: "T")
        }
        if version == 3 { log.record(255, []) }
        return log.bytes
    }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try folder.write(bytes, to: "chromium/" + name)
    }

    private func writeUserData() throws {
        try write(Array("{}".utf8), "Local State")
        for profile in ["Default", "Profile 1"] {
            try write(Array("{}".utf8), profile + "/Preferences")
            try write([1], profile + "/History")
            try write([2], profile + "/Cache/f_000001")
        }
        try write(open(1), "Default/Sessions/Session_13360152600000001")
        try write(open(2), "Default/Sessions/Session_13360152600000009")
        try write(closed(3), "Default/Sessions/Tabs_13360152600000002")
        try write(closed(4), "Default/Sessions/Tabs_9360152600000002")
        try write(open(5, version: 1), "Default/Last Session")
        try write(open(6), "Profile 1/Sessions/Session_13360152600000003")
    }

    private func read(_ name: String = "chromium", _ scope: ImportScope = .restorable) throws
        -> SessionImport
    {
        try SessionImporter().read(path: folder.file(name), scope: scope)
    }

    private func untaken(_ report: ImportReport) -> [String: UntakenFile.Reason] {
        Dictionary(
            uniqueKeysWithValues: report.untaken.map {
                (String($0.path.dropFirst(folder.file("chromium/").count)), $0.reason)
            })
    }

    @Test("The newest log of each kind and profile is taken, and the others are named")
    func newest() throws {
        try writeUserData()
        let result = try read()
        expect(
            result.report.sources.map { String($0.path.dropFirst(folder.file("chromium/").count)) },
            is: [
                "Default/Sessions/Session_13360152600000009",
                "Default/Sessions/Tabs_13360152600000002",
                "Profile 1/Sessions/Session_13360152600000003",
            ])
        expect(result.report.totals.tabs == 8 && result.report.totals.closedTabs == 3)
        expect(
            untaken(result.report),
            is: [
                "Default/Sessions/Session_13360152600000001": .older,
                "Default/Sessions/Tabs_9360152600000002": .older,
                "Default/Last Session": .older,
            ])
        expect(!result.report.isDamaged && result.report.otherFiles == 0)
        expect(try read("chromium/Default").report.totals.tabs == 2)
        expect(try read("chromium/Default/Sessions").report.totals.tabs == 2)
        let all = try read("chromium", .everything)
        expect(all.report.totals.tabs == 14 && all.report.totals.closedTabs == 7)
        expect(all.report.untaken.isEmpty)
    }

    @Test("A log that was never begun or finished gives way to the one before")
    func unfinished() throws {
        try writeUserData()
        try write(open(7, isFinished: false), "Default/Sessions/Session_13360152600000011")
        try write(SNSSWriter().bytes, "Default/Sessions/Session_13360152600000012")
        try write([], "Default/Sessions/Session_13360152600000013")
        let begun = try read("chromium/Default").report
        expect(!begun.isDamaged && begun.sources[0].mayLackMore)
        try write([1, 2, 3], "Default/Sessions/Session_13360152600000014")
        try write(SNSSWriter(version: 9).bytes, "Default/Sessions/Tabs_13360152600000015")
        let result = try read("chromium/Default")
        expect(result.report.totals.tabs == 2 && result.report.totals.closedTabs == 3)
        let reasons = untaken(result.report)
        expect(reasons["Default/Sessions/Session_13360152600000011"], is: .unfinished)
        expect(reasons["Default/Sessions/Session_13360152600000012"], is: .unfinished)
        expect(reasons["Default/Sessions/Session_13360152600000013"], is: .unfinished)
        for name in ["Session_13360152600000014", "Tabs_13360152600000015"] {
            expect(reasons["Default/Sessions/" + name], is: .damaged, "\(name)")
        }
        expect(result.report.isDamaged)
        for name in ["Session_13360152600000009", "Session_13360152600000001"] {
            try folder.remove("chromium/Default/Sessions/" + name)
        }
        try folder.remove("chromium/Default/Last Session")
        let alone = try read("chromium/Default")
        expect(alone.report.totals.tabs, is: 7)
    }

    @Test("A log is of the kind that its records are of, whatever its name says")
    func kinds() throws {
        try writeUserData()
        try write(closed(8), "Default/Sessions/Session_13360152600000020")
        try write(open(9), "Default/Sessions/Tabs_13360152600000019")
        let result = try read("chromium/Default")
        expect(result.report.totals.tabs == 9 && result.report.totals.closedTabs == 8)
        expect(result.report.untaken.allSatisfy { $0.reason == .older })
    }

    @Test("Logs from before 2021 are taken: the current ones before the last ones")
    func legacy() throws {
        for (name, bytes) in [
            ("Current Session", open(1, version: 1)), ("Last Session", open(2, version: 1)),
            ("Current Tabs", closed(3, version: 1)), ("Last Tabs", closed(4, version: 1)),
        ] {
            try write(bytes, "Default/" + name)
        }
        let result = try read()
        expect(result.report.totals.tabs == 1 && result.report.totals.closedTabs == 3)
        expect(
            untaken(result.report),
            is: ["Default/Last Session": .older, "Default/Last Tabs": .older])
        try write(SNSSWriter(version: 1).bytes, "Default/Current Session")
        expect(try read().report.totals.tabs == 2)
    }

    @Test("Encrypted logs, windows of apps and copies from before updates are named")
    func passedOver() throws {
        try writeUserData()
        try write(SNSSWriter(version: 5).bytes, "Default/Sessions_Encrypted/Session_1")
        try write(open(1), "Default/Sessions/Apps_13360152600000009")
        try write([9, 9], "Default/Sessions/notes.txt")
        try write(Array("{}".utf8), "Snapshots/120.0/Default/Preferences")
        try write(open(9), "Snapshots/120.0/Default/Sessions/Session_13360152600000090")
        let result = try read()
        expect(result.report.totals.tabs, is: 8)
        let reasons = untaken(result.report)
        expect(reasons["Default/Sessions_Encrypted/Session_1"], is: .encrypted)
        expect(reasons["Default/Sessions/Apps_13360152600000009"], is: .appWindows)
        expect(reasons["Snapshots/120.0/Default/Sessions/Session_13360152600000090"], is: .older)
        expect(!result.report.isDamaged)
        let all = try read("chromium", .everything)
        expect(all.report.totals.tabs, is: 14 + 1 + 9)
        expect(untaken(all.report), is: ["Default/Sessions_Encrypted/Session_1": .encrypted])
    }

    @Test(
        "Encrypted logs alone are an error that says so, wherever they are and however many",
        arguments: [
            ["Sessions_Encrypted/Session_1"], ["Sessions/Session_1"],
            ["Sessions/Session_1", "Sessions/Session_2", "Sessions/Tabs_1"], ["a log"],
        ])
    func onlyEncrypted(logs: [String]) throws {
        try write(Array("{}".utf8), "Default/Preferences")
        for log in logs { try write(SNSSWriter(version: 5).bytes, "Default/" + log) }
        for name in ["chromium", "chromium/Default"] {
            let error = try refusal { try read(name) }
            expect(error.code == .unsupported && error.message.contains("encrypted"))
        }
        try write(open(2), "beside/a log")
        let report = try read().report
        expect(report.totals.tabs == 2 && report.sources.count == 1 && !report.isDamaged)
        expect(report.untaken.map(\.reason), is: logs.map { _ in .encrypted })
    }

    @Test(
        "What may not be read in a profile or beside it leaves all else",
        .enabled(if: geteuid() != 0, "an administrator may read every file"),
        arguments: [
            "Profile 1/Sessions", "Profile 1", "Profile 1/Sessions_Encrypted", "Snapshots",
            "Snapshots/120.0", "Snapshots/120.0/Default",
            "Profile 1/Sessions/Apps_13360152600000009", "Profile 1/Sessions/odd",
        ])
    func permission(name: String) throws {
        try writeUserData()
        try write(SNSSWriter(version: 5).bytes, "Profile 1/Sessions_Encrypted/Session_1")
        try write(open(1), "Profile 1/Sessions/Apps_13360152600000009")
        try write(open(1), "Profile 1/Sessions/odd")
        try write(Array("{}".utf8), "Snapshots/120.0/Default/Preferences")
        try write(open(9), "Snapshots/120.0/Default/Sessions/Session_13360152600000090")
        let path = folder.file("chromium/" + name)
        chmod(path, 0)
        defer { chmod(path, 0o755) }
        let report = try read().report
        let isLost = ["Profile 1/Sessions", "Profile 1"].contains(name)
        expect(report.totals.tabs, is: (isLost ? 2 : 8))
        expect(report.isDamaged)
        expect(report.untaken.filter { $0.reason == .unreadable }.map(\.path), is: [path])
        try folder.remove("chromium/Local State")
        let plain = try read().report
        expect(plain.untaken.filter { $0.reason == .unreadable }.map(\.path), is: [path])
        expect(plain.totals.tabs >= (isLost ? 2 : 8))
    }

    @Test("A profile that is open is noted, and its last record may be half written")
    func inUse() throws {
        try writeUserData()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("chromium/SingletonLock"), withDestinationPath: "host-4711")
        try write(open(6) + [40, 0, 6, 1], "Profile 1/Sessions/Session_13360152600000003")
        let result = try read()
        expect(
            result.report.profilesInUse,
            is: [
                folder.file("chromium/Default"), folder.file("chromium/Profile 1"),
            ])
        expect(result.report.totals.tabs, is: 8)
        expect(!result.report.isDamaged)
        expect(result.report.sources.last?.problems.map(\.severity), is: [.note])
        expect(try read("chromium/Default").report.profilesInUse.count == 1)
    }
}
