import BrowserSessions
import CommandLineSupport
import Expectations
import Foundation
import TestSupport

@testable import sessionctl

/// What `list` says of windows, and that `show` takes it.
struct ListTests {
    private let workspace = Workspace()

    /// Windows with equal begins of their names, and several sessions.
    static let sessions: [SessionID] = [
        SessionID(window: WindowID(high: 0xABCD_EF01_0000_0000, low: 1)),
        SessionID(window: WindowID(high: 0xABCD_EF01_2000_0000, low: 1)),
        SessionID(window: WindowID(high: 0xABCD_EF01_2000_0000, low: 1), kind: .recentlyClosed),
        SessionID(window: WindowID(high: 0x1111_0000_0000_0000, low: 1), kind: .setAside),
    ]

    func store(_ workspace: Workspace) async throws -> String {
        var changes = SessionChanges()
        for (number, session) in Self.sessions.enumerated() {
            var attributes = SessionAttributes(title: number == 1 ? "Own" : "")
            if number == 0 { attributes.activeTab = TabID(high: 0, low: 1) }
            changes.put(attributes, for: session)
            for (place, key) in OrderKey.evenlySpaced(count: 2).enumerated() {
                let id = TabID(high: UInt64(number), low: UInt64(place))
                changes.put(
                    TabMetadata(
                        id: id, place: key, url: "https://page-\(number)-\(place).example/",
                        title: place == 0 ? "" : "title \(number)"), in: session)
            }
        }
        return try await workspace.store(holding: changes)
    }

    func summary(
        _ session: SessionID, used: Int64 = 0, closed: Int64? = nil
    ) -> SessionFigures {
        let closed = closed.map { Timestamp(microseconds: $0) }
        return SessionFigures(
            session: "\(session)", kind: session.kind, title: "",
            activeTabTitle: "A page with a long title", closed: closed,
            lastUse: Timestamp(microseconds: used), tabs: 1, groups: 0, historyEntries: 0,
            stateBytes: 0, provenance: "intact", losses: 0, repairs: 0,
            part: SessionFigures.Part(of: session, closedAt: closed))
    }

    @Test("Open and closed stand apart, each with what was used last first")
    func parts() {
        let ids = (0..<6).map { SessionID(window: WindowID(high: $0, low: 1)) }
        var all = [
            summary(ids[0], used: 5), summary(ids[1], used: 7), summary(ids[2], used: 9, closed: 0),
            summary(ids[3], used: 1, closed: 20),
            summary(SessionID(window: ids[4].window, kind: .setAside), used: 3),
            summary(SessionID(window: ids[5].window, kind: .launch), used: 8),
        ]
        all[0].groups = 2
        let sorted = SessionFigures.forPeople(all)
        expect(sorted.map(\.session), is: [1, 0, 3, 2, 4, 5].map { all[$0].session })
        let times = TimeWords(now: Timestamp(microseconds: 100), zone: .gmt)
        let lines = SessionListing(sorted, times: times).lines(width: nil).map(\.text)
        expect(
            lines[0].split(separator: " ").joined(separator: " "),
            is: "session title what tabs groups last use")
        expect(
            lines.filter { !$0.contains("/") },
            is: [
                lines[0], "Open", "Closed", "Kept for later", "Internal",
            ])
        expect(lines[2].hasSuffix("1       0  today 00:00"))
        let plain = SessionListing([summary(ids[0])], times: times).lines(width: nil).map(\.text)
        expect(plain[0].split(separator: " "), is: ["session", "title", "tabs"])
    }

    @Test("Times in JSON are exact, and internal sessions are listed if asked")
    func json() async throws {
        var changes = SessionChanges()
        var attributes = SessionAttributes(
            title: "closed", lastActiveAt: Timestamp(microseconds: 1_700_000_000_123_456))
        attributes.closedAt = Timestamp(microseconds: 1_700_000_001_000_001)
        changes.put(attributes, for: Self.sessions[0])
        for kind in [SessionKind.launch, .backup, .transit] {
            changes.put(
                SessionAttributes(), for: SessionID(window: WindowID(high: 7, low: 7), kind: kind))
        }
        let store = try await workspace.store(holding: changes)
        let list = try Tool.run(["list", "--format", "json", "--storage", store]).json().elements
        expect(list.count, is: 1)
        expect(list[0]["lastActiveAt"].text, is: "2023-11-14T22:13:20.123456Z")
        expect(list[0]["closedAt"].text, is: "2023-11-14T22:13:21.000001Z")
        expect(list[0]["part"].text == "closed" && list[0]["kind"].text == "regular")
        let all = try Tool.run(["list", "--all", "--format", "json", "--storage", store]).json()
        expect(
            all.elements.compactMap { $0["part"].text },
            is: ["closed", "internal", "internal", "internal"])
    }

    @Test("What a narrow list calls a window, `show` takes", arguments: [20, 40, 60, 80, 100, 200])
    func names(width: Int) async throws {
        let argument = try await store(workspace)
        let figures = Self.sessions.map { summary($0) }
        let lines = SessionListing(figures).lines(width: width).dropFirst().map(\.text)
        let titles = ["Open", "Closed", "Kept for later"]
        let names = lines.filter { line in !titles.contains { $0.hasPrefix(line.prefix(4)) } }
            .compactMap { $0.split(separator: " ").first }.map(String.init)
        expect(names.count, is: Self.sessions.count)
        try await workspace.withStore(argument) { store in
            for (name, session) in zip(names, Self.sessions) {
                let found = try await SessionPrefix(parsing: name).session(in: store)
                // Of a line that is narrower than any name a part may be left.
                expect(found == session || width < 40, "\(name)")
                expect(!name.hasSuffix("…") || width < 40, "\(name)")
            }
            // So it takes one that was cut.
            let closed = "\(Self.sessions[2])".dropLast(5) + "…"
            for (text, number) in [("1111…", 3), ("ABCDEF01-2000…", 1), (closed, 2)] {
                let found = try await SessionPrefix(parsing: String(text)).session(in: store)
                expect(found, is: Self.sessions[number])
            }
        }
    }

    @Test("A window without a title goes by its active tab")
    func titles() async throws {
        let argument = try await store(workspace)
        let list = try Tool.run(["list", "--storage", argument])
        let lines = list.output.split(separator: "\n")
        func line(_ session: SessionID) -> Substring {
            lines.first { $0.hasPrefix("\(session) ") } ?? ""
        }
        expect(line(Self.sessions[0]).contains("  title 0  "))
        expect(line(Self.sessions[1]).contains("  Own  "))
        // None is active: the first one, which has no title.
        expect(line(Self.sessions[2]).contains("  https://page-2-0.example/  "))
    }
}
