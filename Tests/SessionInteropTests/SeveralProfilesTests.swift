import BrowserSessions
import Expectations
import SessionTesting
import TestSupport

@testable import SessionInterop

/// Two profiles are never two versions of one, however much they have in common; one profile is, wherever
/// it is.
@Suite("Profiles with pages in common")
struct SeveralProfilesTests {
    typealias Page = MergeBench.Page

    let bench = MergeBench()

    /// Tabs in two windows. All but one are alike, with values of their profile.
    private func pages(_ profile: Int, _ rest: String = "") -> [[Page]] {
        let own = #","extData":{"of":"\#(profile)"}"#
        return [
            [Page("a", rest: own + rest), Page("b", rest: own), Page("c", rest: own)],
            [Page("d", rest: own), Page("own\(profile)", rest: own)],
        ]
    }

    private func write(times: Int, _ folder: String) throws {
        try bench.folder.write(Array(#"{"created":\#(times)}"#.utf8), to: folder + "/times.json")
    }

    private func windows() async throws -> [RestoredSession] {
        let ids = try await bench.storage.sessions().filter { $0.kind.role != .notes }
        return try await bench.storage.restore(ids)
    }

    enum Other: CaseIterable {
        /// In another folder, in another one after the first is gone, or at the same place.
        case there, moved, inPlace
        /// A loose file.
        case loose
    }

    @Test("Another profile is new: nothing of the first changes", arguments: Other.allCases)
    func another(_ other: Other) async throws {
        var (first, second) = ("one/sessionstore.js", "two/sessionstore.js")
        if other == .loose { (first, second) = ("one.js", "two.js") }
        if other == .inPlace { second = first }
        if other == .moved || other == .inPlace { try write(times: 1, "one") }
        try bench.write(pages(1, #","pinned":true"#), to: first)
        try await bench.merge(first)
        let (closed, home) = try require(try await bench.tab("b"))
        try await bench.change { $0.remove(closed.id, from: home) }
        let before = try await windows()
        if other == .moved {
            try bench.folder.remove("one")
            try write(times: 2, "two")
        } else if other == .inPlace {
            try write(times: 2, "one")
        }
        try bench.write(pages(2), to: second)
        let report = try await bench.report(second)
        expect(report.matched, is: [[]])
        expect(report.totals.tabsAdded, is: 5)
        expect(try await windows().filter { before.map(\.id).contains($0.id) }, is: before)
        expect(try await bench.merge(second, .replacement).tabsRemoved, is: 0)
        try bench.write([[Page("a")]], to: second)
        expect(try await bench.merge(second, .replacement).tabsRemoved, is: 2)
        expect(try await windows().filter { before.map(\.id).contains($0.id) }, is: before)
    }

    enum Same: CaseIterable { case moved, copied }

    @Test(
        "The same profile elsewhere, with other tabs, is a later version", arguments: Same.allCases)
    func same(_ same: Same) async throws {
        let (first, second) = ("one/sessionstore.js", "two/sessionstore.js")
        for folder in ["one", "two"] where same != .moved { try write(times: 1, folder) }
        try bench.write(pages(1), to: first)
        try await bench.merge(first)
        let place = SourceFile.home(of: bench.folder.file(first), .firefoxDesktop)
        if same == .moved { try bench.folder.remove("one") }
        // Tabs were used: fewer than half, or, where the profile says which one it is, most of them.
        var later = pages(1)
        for tab in 0..<2 { later[0][tab].addresses.append("next\(tab)") }
        if same == .copied { later[1][0].addresses.append("next2") }
        try bench.write(later, to: second)
        let report = try await bench.report(second)
        expect(report.matched, is: [[place]])
        expect(
            report.totals.tabsAdded == 0 && report.totals.tabsUpdated == (same == .copied ? 3 : 2))
        expect(try await bench.contents().joined().count, is: 5)
        guard same == .moved else { return }
        // It is noted where it is now, so another profile in its old place is another one.
        expect(
            try await bench.report(second).matched == [
                [SourceFile.home(of: bench.folder.file(second), .firefoxDesktop)]
            ])
        try bench.write(pages(2), to: first)
        expect(try await bench.report(first).matched == [[]])
    }

    @Test func profilesSayWhenTheyWereMade() throws {
        try write(times: 1_700_000_000_000, "firefox")
        try bench.folder.write(
            Array(#"{"profile":{"creation_time":"13360152600000000","name":"P"}}"#.utf8),
            to: "chromium/Preferences")
        try bench.folder.write([0x7B], to: "cut/times.json")
        let expected: [(String, SessionFormat, String)] = [
            ("firefox", .firefoxDesktop, "1700000000000"), ("cut", .firefoxDesktop, ""),
            ("chromium", .chromiumSNSS, "13360152600000000"), ("none", .chromiumSNSS, ""),
            ("none", .links, ""),
        ]
        for (name, format, time) in expected {
            expect(format.reader.creation(ofProfile: bench.folder.file(name)) == time, "\(name)")
        }
    }
}
