import BrowserSessions
import Foundation
import SessionInterop

/// What a person sees of a session: windows, tabs in order, pins, groups, the active tab, and where
/// each history stands. Addresses as the server understands them.
struct Layout: Hashable, CustomStringConvertible {
    var windows: [[String]]

    /// Of the open windows, in an order that does not depend on how a browser numbers them.
    init(_ sessions: [SessionSnapshot]) {
        windows = sessions.filter { $0.id.kind == .regular }.map { Self.lines($0) }
            .sorted { $0.joined() < $1.joined() }
    }

    var description: String {
        windows.map { $0.joined(separator: "\n") }.joined(separator: "\n--\n")
    }

    private static func lines(_ session: SessionSnapshot) -> [String] {
        let groups = Dictionary(
            session.attributes.groups.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return session.tabs.map { tab in
            var marks = tab.metadata.id == session.attributes.activeTab ? ">" : " "
            if tab.metadata.isPinned { marks += "pinned " }
            if let group = tab.metadata.group.flatMap({ groups[$0] }) {
                marks += "[\(group.title) \(group.color.name ?? "?")"
                marks += group.isCollapsed ? " collapsed] " : "] "
            }
            let history = tab.states[.navigation].flatMap { try? NavigationHistory(encoded: $0) }
            let entries = history?.entries.enumerated().map { index, entry in
                (index == history?.currentIndex ? "*" : "") + address(entry.url) + " " + entry.title
            }
            return marks + (entries ?? []).joined(separator: ", ")
        }
    }

    private static func address(_ url: String) -> String { url.removingPercentEncoding ?? url }
}
