import BrowserSessions
import Expectations
import Foundation
import TestSupport

@testable import SessionInterop

/// Which files of a profile of Firefox are taken, and what the report says of the others.
@Suite("Profiles of Firefox")
struct FirefoxProfileTests {
    let folder = TemporaryFolder()

    /// In the order in which the browser looks for them. The n-th has n + 1 tabs.
    private static let names = [
        "sessionstore.jsonlz4", "sessionstore-backups/recovery.jsonlz4",
        "sessionstore-backups/recovery.baklz4", "sessionstore-backups/previous.jsonlz4",
        "sessionstore-backups/upgrade.jsonlz4-20260102030405",
        "sessionstore-backups/upgrade.jsonlz4-20251231235959", "sessionstore.js",
        "sessionstore-backups/recovery.js", "sessionstore-backups/recovery.bak",
        "sessionstore-backups/previous.js", "sessionstore-backups/upgrade.js-20150101000000",
    ]

    private func content(_ index: Int, of name: String) -> [UInt8] {
        let text = FirefoxDesktopSample.text(tabs: index + 1)
        return name.contains("lz4") ? mozLZ4(text) : text
    }

    private func writeProfile() throws {
        for (index, name) in Self.names.enumerated() {
            try folder.write(content(index, of: name), to: "xyz.default/" + name)
        }
        try folder.write(Array("user_pref();".utf8), to: "xyz.default/prefs.js")
        try folder.write(
            mozLZ4(Array(#"{"version":8}"#.utf8)), to: "xyz.default/search.json.mozlz4")
        try folder.write([1, 2, 3], to: "xyz.default/storage/default/a.sqlite")
    }

    private func read(_ scope: ImportScope = .restorable) throws -> SessionImport {
        try SessionImporter().read(path: folder.file("xyz.default"), scope: scope)
    }

    @Test("The browser's own order decides, and the others are named")
    func order() throws {
        try writeProfile()
        for (index, name) in Self.names.enumerated() {
            let result = try read()
            expect(result.report.sources.map(\.path), is: [folder.file("xyz.default/" + name)])
            expect(result.report.totals.tabs, is: index + 1)
            expect(result.sessions.count, is: 1)
            expect(
                result.report.untaken,
                is: Self.names.dropFirst(index + 1).map {
                    UntakenFile(
                        path: folder.file("xyz.default/" + $0), format: .firefoxDesktop,
                        reason: .older)
                })
            expect(result.report.otherFiles == 0 && !result.report.isDamaged)
            try folder.remove("xyz.default/" + name)
        }
        expect(throws: StorageError.self) { try read() }
    }

    @Test("What is damaged gives way to the next one that is not, and counts as damage")
    func damaged() throws {
        try writeProfile()
        for name in Self.names.prefix(3) {
            let bytes = try Data(
                contentsOf: URL(fileURLWithPath: folder.file("xyz.default/" + name)))
            try folder.write(Array(bytes.dropLast(bytes.count / 3)), to: "xyz.default/" + name)
        }
        try folder.write([], to: "xyz.default/sessionstore-backups/recovery.jsonlz4")
        let result = try read()
        expect(result.report.totals.tabs, is: 4)
        let reasons = Dictionary(
            uniqueKeysWithValues: result.report.untaken.map { ($0.path, $0.reason) })
        for name in Self.names.prefix(3) {
            expect(reasons[folder.file("xyz.default/" + name)], is: .damaged, "\(name)")
        }
        expect(reasons.values.count { $0 == .older }, is: Self.names.count - 4)
        expect(result.report.isDamaged)
    }

    @Test("If all are damaged, the one with most tabs is taken as far as it goes")
    func allDamaged() throws {
        for (name, count) in [("sessionstore.js", 3), ("sessionstore-backups/recovery.js", 9)] {
            let text = FirefoxDesktopSample.text(tabs: count)
            try folder.write(Array(text.dropLast(50)), to: "xyz.default/" + name)
        }
        let result = try read()
        expect(result.report.sources.map { lastComponent($0.path) }, is: ["recovery.js"])
        expect(result.report.totals.tabs, is: 9)
        expect(result.report.untaken.map(\.reason), is: [.damaged])
        try folder.write([], to: "xyz.default/sessionstore.js")
        try folder.write([7], to: "xyz.default/sessionstore-backups/recovery.js")
        let error = try refusal { try read() }
        expect(error.code, is: .corrupted)
        try folder.write(FirefoxDesktopSample.text(tabs: 2), to: "other/recovery.js")
        let report = try SessionImporter().read(path: folder.file("")).report
        expect(report.totals.tabs == 2 && report.sources.count == 1 && report.isDamaged)
        expect(report.untaken.map(\.reason), is: [.damaged, .damaged])
        expect(report.untaken.allSatisfy { $0.path.contains("xyz.default") })
        expect(report.untaken.allSatisfy { $0.detail == error.message })
    }

    @Test("What is left unread since too much before it was damaged is not called older")
    func unread() throws {
        for number in 0..<70 {
            try folder.write(
                Array(FirefoxDesktopSample.text(tabs: 1).dropLast(5)),
                to: "xyz.default/sessionstore-backups/upgrade.js-\(1000 + number)")
        }
        let reasons = try read().report.untaken.map(\.reason)
        expect(reasons.count, is: 69)
        expect(reasons.count { $0 == .damaged } == 63 && reasons.count { $0 == .unread } == 6)
    }

    @Test("Of files under other names the one that was saved last is taken")
    func otherNames() throws {
        for (name, time) in [("recovery copy.js", 100), ("b", 300), ("sessionstore-old.js", 200)] {
            try folder.write(
                FirefoxDesktopSample.text(
                    [FirefoxDesktopSample.tab(0)],
                    root: #","session":{"lastUpdate":\#(time)}"#),
                to: "xyz.default/sessionstore-backups/" + name)
        }
        try folder.write(Array("{}".utf8), to: "xyz.default/sessionstore-backups/settings.json")
        let result = try read()
        expect(result.report.sources.map { lastComponent($0.path) }, is: ["b"])
        expect(result.report.untaken.map(\.reason), is: [.older, .older])
        expect(result.report.otherFiles, is: 1)
    }

    @Test("Everything gives every file, each once")
    func everything() throws {
        try writeProfile()
        let result = try read(.everything)
        expect(result.report.sources.count, is: Self.names.count)
        expect(result.report.untaken.isEmpty)
        expect(result.report.totals.tabs, is: (1...Self.names.count).reduce(0, +))
        expect(Set(result.sessions.map(\.id)).count, is: Self.names.count)
    }

    @Test("The folder of backups alone is taken as it would be in a profile")
    func backups() throws {
        try writeProfile()
        let result = try SessionImporter().read(
            path: folder.file("xyz.default/sessionstore-backups"))
        expect(result.report.sources.map { lastComponent($0.path) }, is: ["recovery.jsonlz4"])
        expect(result.report.untaken.count, is: 8)
    }

    @Test("A folder of profiles gives the session of each")
    func profiles() throws {
        try writeProfile()
        try FileManager.default.copyItem(
            atPath: folder.file("xyz.default"), toPath: folder.file("b.work"))
        try folder.write(
            FirefoxDesktopSample.text(tabs: 20), to: "b.work/sessionstore-backups/recovery.js")
        try folder.remove("b.work/sessionstore.jsonlz4")
        let result = try SessionImporter().read(path: folder.file(""))
        expect(result.report.sources.map(\.counts.tabs), is: [2, 1])
    }

    @Test("A profile that is open is noted, and read as it is")
    func inUse() throws {
        try writeProfile()
        expect(try read().report.profilesInUse == [])
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("xyz.default/lock"), withDestinationPath: "127.0.1.1:+12345")
        let result = try read()
        expect(result.report.profilesInUse, is: [folder.file("xyz.default")])
        expect(result.report.totals.tabs == 1 && !result.report.isDamaged)
        try folder.remove("xyz.default/lock")
        let path = try folder.write([], to: "xyz.default/.parentlock")
        expect(try read().report.profilesInUse == [])
        let file = open(path, O_RDWR | O_CLOEXEC)
        try require(file >= 0)
        // A lock of the open file, which is as that of another process to all who ask.
        let setLockOfOpenFile: Int32 = 37
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        try require(fcntl(file, setLockOfOpenFile, &lock) == 0)
        expect(try read().report.profilesInUse == [folder.file("xyz.default")])
        close(file)
        expect(try read().report.profilesInUse == [])
    }

    @Test(
        "A folder of backups that may not be read leaves what is beside it",
        .enabled(if: geteuid() != 0, "an administrator may read every file"))
    func permission() throws {
        try writeProfile()
        let backups = folder.file("xyz.default/sessionstore-backups")
        chmod(backups, 0)
        defer { chmod(backups, 0o755) }
        let report = try read().report
        expect(report.totals.tabs == 1 && report.isDamaged)
        expect(
            report.untaken.map { "\($0.reason) \(lastComponent($0.path))" },
            is: [
                "unreadable sessionstore-backups", "older sessionstore.js",
            ])
    }

    @Test(
        "A file that may not be read is not counted as one without sessions",
        .enabled(if: geteuid() != 0, "an administrator may read every file"))
    func unreadable() throws {
        try writeProfile()
        let path = try folder.write([1], to: "xyz.default/sessionstore-backups/odd")
        expect(try read().report.otherFiles == 1)
        chmod(path, 0)
        let report = try read().report
        expect(report.otherFiles == 0 && report.isDamaged)
        expect(report.untaken.filter { $0.reason == .unreadable }.map(\.path), is: [path])
    }

    @Test("A compressed file of more bytes than a block is counted in is too large, not damaged")
    func tooLarge() throws {
        let file = mozLZ4(FirefoxDesktopSample.text(tabs: 1))
        let limits = ImportLimits()
        expect(try MozLZ4.unfold(file, limits: limits, maximumBytes: file.count).damage == nil)
        let error = expect(throws: StorageError.self) {
            try MozLZ4.unfold(file, limits: limits, maximumBytes: file.count - 1)
        }
        expect(error?.code, is: .tooLarge)
    }

    @Test("A compressed file that is no session is passed over, not taken for a damaged one")
    func noSession() throws {
        let settings = mozLZ4(Array(#"{"version":8,"engines":[{"id":"a","windows":[]}]}"#.utf8))
        for name in ["search.json.mozlz4", "addonStartup.json.lz4", "recovery.jsonlz4"] {
            try folder.write(settings, to: "copies/" + name)
        }
        try folder.write(Array(#"{"windows":{"a":1}}"#.utf8), to: "copies/layout.json")
        try folder.write(Array(#"{"windows":[{"title":"a"}]}"#.utf8), to: "copies/previous.js")
        try folder.write(Array("https://example.org/".utf8), to: "copies/list.txt")
        let result = try SessionImporter().read(path: folder.file("copies"))
        expect(result.report.sources.map(\.format), is: [.links])
        expect(result.report.otherFiles, is: 5, "\(result.report)")
        expect(!result.report.isDamaged && result.report.notes.isEmpty)
        let error = expect(throws: StorageError.self) {
            try SessionImporter().read(path: folder.file("copies/search.json.mozlz4"))
        }
        expect(error?.code, is: .incompatibleFormat)
    }
}
