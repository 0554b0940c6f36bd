import BrowserModel
import BrowserSessions
import SessionSamples

/// A list of a window's tabs, and the change that comes next.
final class ChangingList {
    /// What a change does with a tab.
    enum Kind: Sendable {
        case close, insert, move, pin, group
    }

    private enum Change {
        case close(Tab)
        case insert(Tab, TabInsertion)
        case move(Tab, NodeTarget, behind: Tab)
        case pin(Tab)
        case group(Tab, StructureNode)
    }

    private let window: SceneWindow
    private var list = TabList()
    private var change: Change?
    private var isDone = false
    private let state = HeldTabState(TabState(history: NavigationHistory()))

    init(_ window: SceneWindow) { self.window = window }

    /// Makes the list as it was saved, with an active tab.
    func renew() {
        list = TabList(rules: .everything, now: { SessionSampler.now })
        list.restore(
            window.tabs.map { Tab(unrealized: $0, state: state) }, nodes: window.nodes,
            active: window.attributes.activeTab)
    }

    /// Prepares a change of a tab, with what a host has that shows the list. Returns whether it is possible.
    func prepare(_ kind: Kind, _ one: TabID, _ other: TabID) -> Bool {
        guard let tab = list.tab(one), let other = list.tab(other) else { return false }
        isDone = false
        switch kind {
        case .close: change = .close(tab)
        case .insert:
            // Making a page is no work of the list.
            let metadata = TabMetadata(id: .random(), place: .middle, url: "https://example.org")
            let new = Tab(unrealized: metadata, state: state)
            change = .insert(new, TabInsertion(opener: tab.id))
        case .move:
            guard tab !== other, !list.ancestors(of: other.id).contains(NodeID(tab.id)) else {
                return false
            }
            change = .move(tab, Self.target(behind: other), behind: other)
        case .pin:
            guard !tab.isPinned else { return false }
            change = .pin(tab)
        case .group: change = .group(tab, StructureNode.group(name: "A group"))
        }
        return true
    }

    private static func target(behind tab: Tab) -> NodeTarget {
        let position = NodeTarget.Position.behind(NodeID(tab.id))
        guard let parent = tab.metadata.parent else { return .top(tab.metadata.zone, position) }
        return tab.metadata.edge == .branch
            ? .below(parent, position) : .inside(parent, position)
    }

    func perform() throws(StorageError) {
        do throws(TabListError) {
            switch change {
            case .close(let tab): try list.close(tab)
            case .insert(let tab, let insertion): try list.insert(tab, as: insertion)
            case .move(let tab, let target, _): try list.move(tab.id, to: target)
            case .pin(let tab): try list.pin(tab)
            case .group(let tab, let group): try list.createGroup(group, of: [tab])
            case nil: break
            }
        } catch {
            throw WrongAnswer.error("a list refuses a change: \(error)")
        }
        isDone = true
    }

    /// Whether the list is as it has to be, if the change was made.
    var isRight: Bool {
        guard isDone, let change else { return true }
        switch change {
        case .close(let tab): return tab.isClosed && !list.contains(tab)
        case .insert(let tab, _): return list.contains(tab)
        case .move(let tab, _, let other):
            guard let before = list.index(of: other), let index = list.index(of: tab) else {
                return false
            }
            return before < index && tab.metadata.parent == other.metadata.parent
        case .pin(let tab): return list.index(of: tab).map { $0 < list.pinnedCount } == true
        case .group(let tab, let group): return tab.group == group.id
        }
    }
}
