import BrowserSessions

/// Counts the tabs that left the windows of a profile since its newest restore point.
///
/// A tab is open in a window, among its inactive tabs, or in the library; closing moves it elsewhere.
/// The guard counts tabs that were open at the point, whatever came in their place, and by how much fewer
/// are open than there were at any time since, also where no point has been taken yet. What a user closed
/// on purpose counts as if it had not been there.
struct LossGuard {
    /// The tabs that were open at the point, without those that were closed on purpose since.
    private var open: Int
    /// Tabs that were open at the point, and are not any more.
    private var left: Set<TabID> = []
    /// Tabs that were opened since.
    private var entered: Set<TabID> = []
    /// The tabs that are open, and the most that were since the point.
    private var now: Int
    private var most: Int

    /// The fewest tabs of a loss, and the smallest part of all of them, in percent.
    static let fewest = 10
    static let percent = 30

    /// Begins at the present state.
    init(_ index: PartitionIndex) {
        open = index.openTabs
        (now, most) = (open, open)
    }

    /// What a set does to the tabs that are open.
    struct Effect {
        fileprivate(set) var leaving: [TabID] = []
        fileprivate(set) var entering: [TabID] = []
        /// Whether what goes is no loss, or is in a point that was taken before.
        var isIntended = false
    }

    /// Returns what a set does; `nil` if no tab comes or goes.
    func effect(of changes: ValidatedChanges, on index: PartitionIndex) -> Effect? {
        var effect = Effect(isIntended: changes.set.isIntended)
        let outline = changes.outline
        var last: (id: SessionID, isOpen: Bool)?
        for (id, put) in outline.puts where put.kind == nil {
            let old = index.tabs[TabID(id)].map { index.sessions[$0.session] }
            if let old, old.id == put.session { continue }
            if last?.id != put.session { last = (put.session, put.session.kind.isOpen) }
            let (wasOpen, isOpen) = (old?.isOpen ?? false, last?.isOpen ?? false)
            if wasOpen, !isOpen { effect.leaving.append(TabID(id)) }
            if !wasOpen, isOpen { effect.entering.append(TabID(id)) }
        }
        for case (.tab(let tab), let session) in outline.removals where session.kind.isOpen {
            if index.has(tab, in: session), !outline.puts(tab) { effect.leaving.append(tab) }
        }
        for session in outline.removedSessions where session.kind.isOpen {
            for tab in index.tabs(of: session) where !outline.puts(tab) {
                effect.leaving.append(tab)
            }
        }
        return effect.leaving.isEmpty && effect.entering.isEmpty ? nil : effect
    }

    /// Returns how many tabs are gone since the point with a set, if they are so many that the
    /// state before the set must be kept; `nil` otherwise.
    func loss(by effect: Effect) -> Int? {
        guard !effect.isIntended, !effect.leaving.isEmpty else { return nil }
        let new = effect.leaving.count { !entered.contains($0) }
        let fewer = most - now + effect.leaving.count
        return [(new > 0 ? left.count + new : 0, open), (fewer, most)]
            .filter { $0 >= Self.fewest && $0 * 100 >= $1 * Self.percent }.map(\.0).max()
    }

    /// Counts what a set did.
    mutating func count(_ effect: Effect?) {
        guard let effect else { return }
        now += effect.entering.count - effect.leaving.count
        most = max(now, most - (effect.isIntended ? effect.leaving.count : 0))
        for tab in effect.leaving {
            if entered.remove(tab) != nil { continue }
            if effect.isIntended { open -= 1 } else { left.insert(tab) }
        }
        for tab in effect.entering where left.remove(tab) == nil { entered.insert(tab) }
    }
}

extension PartitionIndex {
    /// The number of tabs that are open.
    var openTabs: Int { sessions.reduce(0) { $0 + ($1.isOpen ? $1.tabCount : 0) } }
}
