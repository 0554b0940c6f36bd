import BrowserModel
import BrowserSessions

@testable import SessionRestoration

/// What a user had of one partition of a profile at one moment.
struct HostPicture {
    /// The open windows and those that belong to them, in the order in which they were made.
    var windows: [WindowPicture] = []
    /// What comes back when these are opened again.
    var closedWindows: [SessionID: WindowPicture] = [:]
    /// The recently closed tabs, the one closed first first.
    var closed: [ClosedPicture] = []
    var detachedTabs: [DetachedTabPicture] = []
    /// What every tab goes on from, wherever it is.
    var states: [TabID: TabState] = [:]

    var isEmpty: Bool { windows.allSatisfy(\.tabs.isEmpty) && detachedTabs.isEmpty }

    /// Every tab, once for each place in which it is.
    var tabs: [TabID] {
        (windows + closedWindows.values).flatMap(\.tabs).map(\.id)
            + closed.map(\.id) + detachedTabs.map(\.metadata.id)
    }
}

struct WindowPicture: Equatable {
    var id: SessionID
    var attributes: SessionAttributes
    /// The nodes by what they come from: a store has each in one session under its own identifier.
    var nodes: [StructureNode]
    var tabs: [TabMetadata]

    init(_ window: Window) {
        self.init(
            window.sessionID, window.attributes, window.tabs.nodes,
            window.tabs.tabs.map(\.metadata))
        attributes.activeTab = window.tabs.activeTab?.id
    }

    init(
        _ id: SessionID, _ attributes: SessionAttributes, _ nodes: [StructureNode],
        _ tabs: [TabMetadata]
    ) {
        self.id = id
        self.attributes = attributes
        self.attributes.closedAt = nil
        self.attributes.ageMark = nil
        let origins = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, $0.origin) })
        self.nodes = nodes.map { node in
            var node = node
            (node.id, node.place) = (node.origin, .middle)
            node.origin = node.id
            node.parent = node.parent.map { origins[$0] ?? $0 }
            return node
        }
        self.tabs = tabs.map { tab in
            var tab = tab
            tab.parent = tab.parent.map { origins[$0] ?? $0 }
            return tab
        }
    }

    /// Whether it is the library, and has anything beside tabs.
    var hasSpaces: Bool { id.kind == .library && !nodes.isEmpty }

    /// As a store has it, which refuses what is too large.
    var saved: WindowPicture {
        var saved = self
        saved.tabs = tabs.map(\.saved)
        return saved
    }
}

struct ClosedPicture: Equatable {
    var id: TabID
    var url: String
    var title: String
    /// What was closed together has the same number.
    var closing: Int

    static func == (left: Self, right: Self) -> Bool {
        (left.id, left.url, left.title) == (right.id, right.url, right.title)
    }
}

/// A tab in no list, as it was in its last one, with the group that its group comes from.
struct DetachedTabPicture {
    var metadata: TabMetadata
    /// The window in which it was; `nil` if that has gone.
    var origin: SessionID?
}

extension TabMetadata {
    static let huge = String(repeating: "x", count: 2 << 20)

    var isHuge: Bool { properties["huge"] != nil }

    /// As a store has it, which refuses what is too large.
    var saved: TabMetadata {
        guard isHuge else { return self }
        var saved = self
        saved.properties = [:]
        saved.faviconURL = ""
        return saved
    }

    /// Without its place in the structure.
    var loose: TabMetadata {
        var copy = placeless
        (copy.parent, copy.edge, copy.zone, copy.weight) = (nil, .member, .normal, 0)
        copy.opener = nil
        return copy
    }

    /// Without what depends on the neighbours.
    var placeless: TabMetadata {
        var copy = self
        copy.place = .between(nil, and: nil)
        return copy
    }
}

extension TabState {
    func isTooLarge(for maximumBytes: Int) -> Bool { native?.count ?? 0 > maximumBytes }

    /// As a store has it, which refuses what is too large.
    func saved(_ maximumBytes: Int) -> TabState {
        guard isTooLarge(for: maximumBytes) else { return self }
        var saved = self
        saved.native = nil
        return saved
    }
}

/// What a user had since the last moment that a store has acknowledged.
struct HostTimeline {
    private(set) var pictures: [HostPicture] = [HostPicture()]
    private var first = 0

    /// The number of the last picture.
    var last: Int { first + pictures.count - 1 }

    mutating func append(_ picture: HostPicture) { pictures.append(picture) }

    /// The store has what there was at that moment, or something newer.
    mutating func acknowledge(_ number: Int) {
        guard number > first else { return }
        pictures.removeFirst(number - first)
        first = number
    }

    mutating func acknowledgeLastEmpty() {
        guard let index = pictures.lastIndex(where: \.isEmpty) else { return }
        acknowledge(first + index)
    }

    mutating func begin(with picture: HostPicture) {
        pictures = [picture]
        first = 0
    }
}
