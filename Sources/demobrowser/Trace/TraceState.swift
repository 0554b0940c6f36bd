import BrowserModel
import BrowserSessions
import Foundation

/// All windows except incognito ones, in a form that is equal letter by letter exactly when they are.
struct TraceState: Codable, Equatable {
    var windows: [WindowState]

    struct WindowState: Codable, Equatable {
        var id: String
        var active: String?
        /// All nodes depth first: how deep each is, how it is there, and what it is.
        var outline: [String]
        var tabs: [TabState]
    }

    struct TabState: Codable, Equatable {
        var id: String
        var url: String
        var title: String
        var history: [String]
        var index: Int?
        var scroll: String
    }

    /// - Parameter pages: the states in the store, for tabs that are not realized.
    @MainActor
    init(of windows: WindowList, pages: [TabID: BrowserModel.TabState]) {
        self.windows =
            windows
            .filter { !$0.isIncognito && ($0.kind == .regular || !$0.tabs.isEmpty) }
            .sorted { $0.sessionID < $1.sessionID }
            .map { WindowState($0, pages) }
    }

    /// Returns the state as one line of JSON.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension TraceState.WindowState {
    fileprivate init(_ window: Window, _ pages: [TabID: BrowserModel.TabState]) {
        id = window.sessionID.description
        active = window.tabs.activeTab?.id.description
        outline = window.tabs.forest.rows.map(\.text)
        tabs = window.tabs.map { tab in
            let state = tab.page?.captureState() ?? pages[tab.id] ?? BrowserModel.TabState()
            return TraceState.TabState(
                id: tab.id.description, url: tab.url, title: tab.title,
                history: state.history.entries.map(\.url), index: state.history.currentIndex,
                scroll: String(decoding: state.native ?? [], as: UTF8.self))
        }
    }
}

extension SessionForest.Row {
    fileprivate var text: String {
        switch content {
        case .tab(let tab): "\(depth) \(tab.edge.rawValue) \(tab.zone.rawValue) tab \(id)"
        case .node(let node):
            "\(depth) \(node.edge.rawValue) \(node.zone.rawValue) \(node.kind.rawValue) \(id) "
                + "\(node.style) '\(node.name)'\(node.isCollapsed ? " collapsed" : "")"
        }
    }
}
