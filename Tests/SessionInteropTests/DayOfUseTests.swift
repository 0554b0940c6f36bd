import BrowserSessions
import Expectations
import Foundation
import SessionSamples
import SessionTesting
import TestSupport

@testable import SessionInterop

/// What is exported after a day of use is true: whatever was noted on the way in.
struct DayOfUseTests {
    private static let time = Timestamp(microseconds: 1_767_225_600_000_000)

    /// A session of Firefox with all that names or counts something.
    private static var firefox: [UInt8] {
        func tab(_ name: String, _ more: String = "") -> String {
            #"{"entries":[{"url":"https://\#(name).example/","title":"\#(name)"}],"index":1\#(more)}"#
        }
        func closed(_ name: String) -> String {
            #"{"state":\#(tab(name)),"closedAt":1700000000000,"pos":7,"closedId":3,"sourceWindowId":"w1","#
                + #""closedInTabGroupId":"g1","removeAfterRestore":true}"#
        }
        func window(_ name: String, _ more: String = "") -> String {
            let pair = (1...2).map { tab("\(name)-s\($0)", #","splitViewId":1"#) }
            let group = (1...3).map { tab("\(name)-g\($0)", #","groupId":"\#(name)g""#) }
            let tabs =
                [tab("\(name)-p", #","pinned":true"#)] + pair + group
                + [tab("\(name)-t", #","userTypedValue":"x.example","userTypedClear":2"#)]
            return #"{"tabs":[\#(tabs.joined(separator: ","))],"selected":3,"zIndex":4,"#
                + #""splitViews":[{"id":1,"numberOfTabs":2}],"isPopup":true,"workspaceID":"w","#
                + #""_lastClosedTabGroupCount":9,"lastClosedTabGroupId":"gone","unknown":{"tabs":7},"#
                + #""groups":[{"id":"\#(name)g","name":"G","color":"red","collapsed":true}],"#
                + #""_closedTabs":[\#(closed("\(name)-c1")),\#(closed("\(name)-c2"))]\#(more)}"#
        }
        return Array(
            (#"{"version":["sessionrestore",1],"windows":[\#(window("a")),\#(window("b"))],"#
                + #""selectedWindow":2,"_closedWindows":[\#(window("c", #","closedAt":1700000000000"#))],"#
                + #""savedGroups":[{"id":"s","name":"S","color":"blue","tabs":[\#(closed("sg"))]}]}"#)
                .utf8)
    }

    private static func samples() throws -> [SessionSnapshot] {
        let folder = TemporaryFolder()
        let path = try folder.write(firefox, to: "sessionstore.js")
        let sample = try SessionImporter().read(path: Fixtures.path("Sample"), scope: .everything)
        return try sample.sessions + SessionImporter().read(path: path).sessions
    }

    /// Closes, moves, reorders and regroups tabs, and closes windows.
    private static func use(_ sessions: inout [SessionSnapshot], _ random: inout SeededGenerator) {
        func isOpen(_ index: Int) -> Bool {
            sessions[index].id.kind == .regular && sessions[index].attributes.closedAt == nil
        }
        for _ in 0..<30 {
            let open = sessions.indices.filter { isOpen($0) && sessions[$0].tabs.count > 1 }
            guard let from = open.randomElement(using: &random),
                let to = open.randomElement(using: &random),
                let place = sessions[from].tabs.indices.randomElement(using: &random)
            else { return }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: sessions[from].tabs.remove(at: place)
            case 1:
                var tab = sessions[from].tabs.remove(at: place)
                (tab.metadata.group, tab.metadata.opener) = (nil, nil)
                sessions[to].tabs.append(tab)
            case 2: sessions[from].tabs.swapAt(place, 0)
            case 3: sessions[from].tabs[place].metadata.group = nil
            case 4:
                sessions[from].attributes.activeTab = sessions[from].tabs[place].metadata.id
                sessions[from].attributes.lastActiveAt = time
            default:
                if Bool.random(using: &random) { sessions[from].attributes.closedAt = time }
            }
        }
        for index in sessions.indices { sessions[index].putRight() }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func whatFirefoxGetsHoldsTogether(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var sessions = try Self.samples()
        Self.use(&sessions, &random)
        let export = try SessionExporter(.firefox, at: Self.time).export(sessions)
        let text = try MozLZ4.unfold(export.files[0].bytes, limits: ImportLimits()).bytes
        let root = try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any] ?? [:]
        var checker = FirefoxChecker()
        checker.check(root)
        expect(checker.faults, is: [])
    }

    @Test(arguments: ExportTests.browsers, [1, 2, 3] as [UInt64])
    func whatIsReadBackIsWhatWasThere(_ format: ExportFormat, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var sessions = try Self.samples()
        Self.use(&sessions, &random)
        sessions.append(Self.launch)
        let export = try SessionExporter(format, at: Self.time).export(sessions)
        let back = try export.imported()
        let problems = back.report.sources.flatMap(\.problems).filter { $0.severity != .note }
        expect(problems, is: [])
        let closed = sessions.filter { $0.attributes.closedAt != nil }
        let shut = Set(closed.map(\.id.window))
        // Inactive tabs belong to their window.
        let left = sessions.filter { $0.id.kind == .inactive && shut.contains($0.id.window) }
            .reduce(closed.reduce(0) { $0 + $1.tabs.count }) { $0 + $1.tabs.count }
        func open(_ sessions: [SessionSnapshot]) -> [[String]] {
            sessions.filter { $0.id.kind == .regular && $0.attributes.closedAt == nil }
                .map { $0.tabs.map(\.metadata.url) }.filter { !$0.isEmpty }
                .sorted { $0.joined() < $1.joined() }
        }
        expect(open(back.sessions), is: open(sessions))
        guard format.holds.contains(.closedWindows) else {
            expect(export.losses[.closedWindows], is: left)
            return
        }
        let urls = Set(
            back.sessions.filter { $0.attributes.closedAt != nil }
                .flatMap { $0.tabs.map(\.metadata.url) })
        let expected = closed.flatMap { $0.tabs.map(\.metadata.url) }
        expect(urls.isSuperset(of: expected))
    }

    // MARK: Places

    private static var launch: SessionSnapshot {
        let id = SessionID(window: WindowID(high: 0, low: 0), kind: .launch)
        return SessionSnapshot(id: id, attributes: SessionAttributes(title: "launch"))
    }

    private static func session(
        _ kind: SessionKind, _ name: String, window: WindowID = .random(), closed: Bool = false
    ) -> SessionSnapshot {
        let tab = TabMetadata(
            id: .random(), place: .between(nil, and: nil), url: "https://\(name).example/",
            title: name)
        var session = SessionSnapshot(
            id: SessionID(window: window, kind: kind), tabs: [TabSnapshot(metadata: tab)])
        if closed { session.attributes.closedAt = time }
        return session
    }

    /// As a store lists them: what belongs to a window before it.
    private static var everyRole: [SessionSnapshot] {
        let (open, closed) = (WindowID.random(), WindowID.random())
        return [
            launch, session(.recentlyClosed, "gone"), session(.transit, "between"),
            session(.regular, "shut", window: closed, closed: true),
            session(.inactive, "stale", window: closed),
            session(.backup, "together", window: open), session(.inactive, "idle", window: open),
            session(.regular, "first", window: open), session(.setAside, "aside"),
        ]
    }

    @Test(arguments: [ExportFormat.bookmarks, .markdown])
    func listsNumberOpenWindowsFirst(_ format: ExportFormat) throws {
        let export = try SessionExporter(format, at: Self.time).export(Self.everyRole)
        let text = String(decoding: export.files[0].bytes, as: UTF8.self)
        let pattern = format == .markdown ? #/(?m)^## (.*)$/# : #/<H3[^>]*>([^<]*)<\/H3>/#
        expect(
            text.matches(of: pattern).map { String($0.output.1) },
            is: [
                "Window 1", "Window 1 – closed together", "Window 1 – inactive tabs",
                "Window 2 – closed window", "Window 2 – inactive tabs",
                "Closed tabs – recently closed", "Window 3 – set aside after a crash",
            ])
        expect(!text.contains("launch"))
        let between = try require(text.range(of: "between"))
        let second = try require(text.range(of: "Window 1 –"))
        expect(between.lowerBound < second.lowerBound)
    }

    @Test func desktopBrowsersKeepClosedWindowsAsSuch() throws {
        for format in [ExportFormat.firefox, .chromium] {
            let export = try SessionExporter(format, at: Self.time).export(Self.everyRole)
            expect(export.counts.windows == 1 && export.counts.tabs == 2)
            expect(export.counts.closedWindows == 1 && export.counts.closedTabs == 6)
            expect(export.losses[.closedWindows] == nil)
        }
        for format in [ExportFormat.chromeIOS, .firefoxIOS] {
            let export = try SessionExporter(format, at: Self.time).export(Self.everyRole)
            expect(export.counts.windows, is: 1)
            expect(export.losses[.closedWindows] == 2 && export.losses[.closedTabs] == 2)
        }
    }

    @Test func theCopyOfAStoreHasNoNotes() async throws {
        let store = MemoryStorage()
        for session in Self.everyRole {
            _ = try await store.save(SessionChanges(saving: session))
        }
        var text: [UInt8] = []
        try await CanonicalJSON.write(store) { bytes throws(StorageError) in text += bytes }
        expect(!String(decoding: text, as: UTF8.self).contains("launch"))
        expect(String(decoding: text, as: UTF8.self).contains("between"))
    }
}

extension SessionSnapshot {
    /// What a store would put right.
    fileprivate mutating func putRight() {
        let ids = Set(tabs.map(\.metadata.id))
        for index in tabs.indices {
            let opener = tabs[index].metadata.opener?.tab
            if let opener, !ids.contains(opener) { tabs[index].metadata.opener = nil }
        }
        if let active = attributes.activeTab, !ids.contains(active) { attributes.activeTab = nil }
        let used = Set(tabs.compactMap(\.metadata.group))
        nodes.removeAll { !used.contains($0.id) }
        tabs = tabs.inOrder(\.metadata)
        renumberPlaces()
    }
}
