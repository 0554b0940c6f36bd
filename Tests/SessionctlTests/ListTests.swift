import BrowserSessions
import TestSupport
import Testing

@testable import sessionctl

/// What `list` says of windows, and that `show` takes it.
@Suite struct ListTests {
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

    func summary(_ session: SessionID) -> SessionFigures {
        SessionFigures(
            session: "\(session)", title: "", activeTabTitle: "A page with a long title",
            closedAt: nil, tabs: 1,
            groups: 0, historyEntries: 0, stateBytes: 0, provenance: "intact", losses: 0, repairs: 0
        )
    }

    @Test("What a narrow list calls a window, `show` takes", arguments: [20, 40, 60, 80, 100, 200])
    func names(width: Int) async throws {
        let workspace = try Workspace()
        let argument = try await store(workspace)
        let lines = SessionFigures.lines(Self.sessions.map(summary), width: width)
        let names = lines.dropFirst().compactMap { $0.split(separator: " ").first }.map(String.init)
        #expect(names.count == Self.sessions.count)
        try await workspace.withStore(argument) { store in
            for (name, session) in zip(names, Self.sessions) {
                let found = try await SessionPrefix(parsing: name).session(in: store)
                // Of a line that is narrower than any name a part may be left.
                #expect(found == session || width < 40, "\(name)")
                #expect(!name.hasSuffix("…") || width < 40, "\(name)")
            }
        }
    }

    @Test("So it takes one that was cut")
    func cutNames() async throws {
        let workspace = try Workspace()
        let closed = "\(Self.sessions[2])".dropLast(5) + "…"
        try await workspace.withStore(try await store(workspace)) { store in
            for (text, number) in [("1111…", 3), ("ABCDEF01-2000…", 1), (closed, 2)] {
                let found = try await SessionPrefix(parsing: String(text)).session(in: store)
                #expect(found == Self.sessions[number])
            }
        }
    }

    @Test("A window without a title goes by its active tab")
    func titles() async throws {
        let workspace = try Workspace()
        let argument = try await store(workspace)
        let list = try Tool.run(["list", "--storage", argument])
        let lines = list.output.split(separator: "\n")
        func line(_ session: SessionID) -> Substring {
            lines.first { $0.hasPrefix("\(session) ") } ?? ""
        }
        #expect(line(Self.sessions[0]).contains("  title 0  "))
        #expect(line(Self.sessions[1]).contains("  Own  "))
        // None is active: the first one, which has no title.
        #expect(line(Self.sessions[2]).contains("  https://page-2-0.example/  "))
    }
}
