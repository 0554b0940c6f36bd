public import BrowserSessions

/// What differs between two states of sessions: two restore points, a point and the present, or two stores.
///
/// ```swift
/// let before = try await storage.restore(storage.sessions(at: .point(point.id)), at: .point(point.id))
/// let now = try await storage.restore(storage.sessions())
/// for entry in SessionDifference(from: before, to: now).entries { print(entry.change, entry.title) }
/// ```
///
/// It is a value: it can be shown, compared, encoded, and applied as ``changes``. Sessions of the
/// incognito partition and notes of a host (`SessionKind.Role.notes`) are in no difference.
public struct SessionDifference: Hashable, Sendable {
    /// What differs, in the order of a person's interest: what is gone, then what moved, what changed, and
    /// what is new; sessions before tabs before other nodes. `[]` if nothing differs.
    public let entries: [Entry]
    /// Records to put that show no difference: order keys alone, and sessions that would go with their
    /// last tab.
    package let silent: [SessionRecord]

    /// One session, tab or node that differs.
    public struct Entry: Hashable, Sendable {
        /// How it differs.
        public let change: Change
        /// How it was; `nil` if it is new.
        public let before: SessionRecord?
        /// How it is; `nil` if it is gone.
        public let after: SessionRecord?
        /// The names of the fields that differ, as in canonical JSON; `[]` for what is new or gone. `place`
        /// stands for the order among siblings.
        public let fields: [String]
    }

    /// How something differs.
    public enum Change: String, Hashable, Sendable, CaseIterable, Comparable {
        /// It is in no session any more.
        case removed
        /// It is in another session, below another node, or elsewhere among its siblings. It may have
        /// changed, too.
        case moved
        /// It is where it was, and something else about it changed.
        case changed
        /// It is new.
        case added

        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Whether nothing differs.
    public var isEmpty: Bool { entries.isEmpty }
}

extension SessionDifference.Entry {
    /// What differs.
    public var item: SessionItem { (after ?? before)?.item ?? .session(SessionID(window: .zero)) }

    /// What a person calls it now, or called it before it was gone.
    public var title: String { (after ?? before)?.title ?? "" }
}

// MARK: - Counts

extension SessionDifference {
    /// The numbers of entries of one sort of item.
    public struct Counts: Hashable, Sendable, Encodable {
        /// How many are gone.
        public var removed = 0
        /// How many are elsewhere.
        public var moved = 0
        /// How many changed where they are.
        public var changed = 0
        /// How many are new.
        public var added = 0

        mutating func add(_ change: Change) {
            switch change {
            case .removed: removed += 1
            case .moved: moved += 1
            case .changed: changed += 1
            case .added: added += 1
            }
        }
    }

    /// The numbers of sessions that differ.
    public var sessionCounts: Counts { counts { if case .session = $0 { true } else { false } } }
    /// The numbers of tabs that differ.
    public var tabCounts: Counts { counts { if case .tab = $0 { true } else { false } } }
    /// The numbers of other nodes that differ.
    public var nodeCounts: Counts { counts { if case .node = $0 { true } else { false } } }

    private func counts(_ isCounted: (SessionItem) -> Bool) -> Counts {
        var counts = Counts()
        for entry in entries where isCounted(entry.item) { counts.add(entry.change) }
        return counts
    }
}

// MARK: - Changes

extension SessionDifference {
    /// The changes that turn the one state into the other; empty if nothing differs. They put metadata
    /// only: states of tabs that both have stay as they are.
    public var changes: SessionChanges {
        var changes = SessionChanges()
        let gone = Set(
            entries.compactMap { entry -> SessionID? in
                guard entry.change == .removed, case .session(let id) = entry.item else {
                    return nil
                }
                return id
            })
        for entry in entries {
            if let after = entry.after {
                changes.put(after)
            } else if let before = entry.before {
                switch before.item {
                case .session(let id): changes.remove(id)
                case .tab(let id) where !gone.contains(before.session):
                    changes.remove(id, from: before.session)
                case .node(let id) where !gone.contains(before.session):
                    changes.remove(id, from: before.session)
                case .tab, .node: break
                }
            }
        }
        for record in silent { changes.put(record) }
        return changes
    }
}
