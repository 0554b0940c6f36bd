import BrowserSessions
import SessionInterop
import SessionTesting
import TestSupport

/// A source that changes and a store in use, with an import between the two.
final class MergeBench {
    /// One tab of a source: the addresses of its history.
    struct Page {
        var addresses: [String]
        var title: String?
        var rest = ""

        init(_ addresses: String..., title: String? = nil, rest: String = "") {
            self.addresses = addresses
            self.title = title
            self.rest = rest
        }
    }

    let storage = FaultyStorage()
    let folder = TemporaryFolder()

    // MARK: The source

    /// Writes a session of Firefox; gives its path.
    @discardableResult
    func write(
        _ windows: [[Page]], closed: [Page] = [], privately: [Page] = [], to name: String = "s.json"
    ) throws -> String {
        var texts = windows.enumerated().map { index, pages in
            let end =
                index == 0
                ? #","_closedTabs":[\#(closed.map(Self.closed).joined(separator: ","))]"# : ""
            return Self.window(pages, end)
        }
        if !privately.isEmpty { texts.append(Self.window(privately, #","isPrivate":true"#)) }
        let text = #"{"version":["sessionrestore",1],"windows":[\#(texts.joined(separator: ","))]}"#
        return try folder.write(Array(text.utf8), to: name)
    }

    private static func window(_ pages: [Page], _ rest: String) -> String {
        #"{"tabs":[\#(pages.map(tab).joined(separator: ","))],"selected":1\#(rest)}"#
    }

    private static func tab(_ page: Page) -> String {
        let entries = page.addresses.map {
            #"{"url":"https://\#($0).example/","title":"\#(page.title ?? $0)"}"#
        }
        let list = entries.joined(separator: ",")
        return #"{"entries":[\#(list)],"index":\#(entries.count)\#(page.rest)}"#
    }

    private static func closed(_ page: Page) -> String { #"{"state":\#(tab(page)),"closedAt":1}"# }

    // MARK: Importing

    @discardableResult
    func merge(
        _ name: String = "s.json", _ mode: ImportMode = .merge, incognito: Bool = false
    ) async throws -> MergeCounts {
        try await report(name, mode, incognito: incognito).totals
    }

    func report(
        _ name: String, _ mode: ImportMode = .merge, incognito: Bool = false
    ) async throws -> MergeReport {
        let result = try SessionImporter().read(path: folder.file(name), incognito: incognito)
        let plan = try await ImportMerge(result, mode: mode).plan(for: storage)
        try await plan.apply(to: storage)
        return plan.report
    }

    // MARK: The store

    func session(with tab: String) async throws -> RestoredSession? {
        for session in try await storage.restore(storage.sessions()) {
            if session.tabs.contains(where: { $0.url == "https://\(tab).example/" }) {
                return session
            }
        }
        return nil
    }

    func tab(_ name: String) async throws -> (tab: TabMetadata, session: SessionID)? {
        guard let session = try await session(with: name) else { return nil }
        return session.tabs.first { $0.url == "https://\(name).example/" }.map { ($0, session.id) }
    }

    func change(_ changes: (inout SessionChanges) -> Void) async throws {
        var set = SessionChanges()
        changes(&set)
        _ = try await storage.save(set, durability: .memory)
    }

    /// Changes one tab of the store.
    func edit(_ name: String, _ edit: (inout TabMetadata) -> Void) async throws {
        guard let (tab, session) = try await tab(name) else { return }
        var edited = tab
        edit(&edited)
        try await change { $0.put(edited, in: session) }
    }

    func digest() async throws -> String { try await ContentDigest.compute(of: storage) }

    /// The names of the tabs of each session with tabs, closed ones too, ordered by the first.
    func contents() async throws -> [[String]] {
        try await storage.restore(storage.sessions()).filter { !$0.tabs.isEmpty }
            .map { $0.tabs.map { String($0.url.dropFirst(8).dropLast(9)) } }
            .sorted { $0[0] < $1[0] }
    }
}
