public import BrowserSessions

/// What it takes to go back to an earlier state, line by line, before anything is changed.
///
/// ```swift
/// var plan = try await storage.restorePlan(at: point.id)
/// for line in plan.lines { print(line.id, line.action, line.title) }
/// plan.strike(3)
/// let result = try await storage.apply(plan)
/// ```
///
/// A plan is a value: a host draws it, a tool writes it to a file as ``encoded()``, and the process that has
/// the store open applies it. No session of the incognito partition is in it.
public struct RestorePlan: Hashable, Sendable {
    /// What becomes of what is there now.
    public enum Mode: String, Hashable, Sendable, CaseIterable {
        /// All that is there stays. What is gone comes back, and what was closed goes back to where it was.
        case merge
        /// Everything becomes as it was, and what came since goes.
        case replace
    }

    /// The point to go back to, of the store that it was read from; `nil` for the present of another store.
    public let point: RestorePoint?
    /// What becomes of what is there now.
    public let mode: Mode
    /// The sessions of the earlier state that may lack something, since not all of it can be read: that is
    /// not brought back.
    public let unreadable: [SessionID]
    /// What would be done, in the order in which a person reads it: what comes back, what moves back, what
    /// changes, and what goes. `[]` if there is nothing to do.
    public internal(set) var lines: [Line]
    /// The order keys of what is only elsewhere among its siblings because others moved.
    package var places: [Place]
    /// Some sessions of the store, by which a plan of another store is recognized.
    package let knownSessions: [SessionID]

    /// One session, tab or node that would be brought back or displaced.
    public struct Line: Hashable, Sendable, Identifiable {
        /// The number of the line, from 1. It stays the same when the plan is limited.
        public internal(set) var id: Int
        /// What would be done.
        public let action: Action
        /// What is there now; `nil` if it is gone.
        public let now: SessionRecord?
        /// What will be there; `nil` if it goes.
        public let then: SessionRecord?
        /// The lines that this one needs, such as the group that a tab goes into. If one of them is struck
        /// out, so is this one.
        public internal(set) var requires: [Int]
        /// Whether the line is struck out, so that it is not done.
        public internal(set) var isStruck = false
        /// Whether the tab had other states than it has, such as where its page was scrolled to. The records
        /// may be the same. Only plans that replace have such lines.
        public internal(set) var statesDiffer = false
    }

    /// What a line does.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// Brings back what is gone.
        case add
        /// Moves what is elsewhere back to where it was.
        case moveBack = "move-back"
        /// Gives what is there its earlier name, page, states or other fields; a window that was closed is
        /// open again.
        case change
        /// Removes what came since. Only plans that replace have such lines.
        case remove
    }

    package struct Place: Hashable, Sendable {
        package var item: SessionItem
        package var session: SessionID
        package var place: OrderKey
    }
}

extension RestorePlan.Line {
    /// What the line is about.
    public var item: SessionItem { (then ?? now)?.item ?? .session(SessionID(window: .zero)) }

    /// What a person calls it.
    public var title: String { (then ?? now)?.title ?? "" }

    /// The session that it is in afterwards, or goes from.
    public var session: SessionID { (then ?? now)?.session ?? SessionID(window: .zero) }
}

// MARK: - Counts

extension RestorePlan {
    /// The numbers of lines of one sort of item.
    public struct Counts: Hashable, Sendable, Encodable {
        /// How many come back.
        public var added = 0
        /// How many move back.
        public var movedBack = 0
        /// How many change.
        public var changed = 0
        /// How many go.
        public var removed = 0

        /// The number of all lines.
        public var total: Int { added + movedBack + changed + removed }

        mutating func add(_ action: Action) {
            switch action {
            case .add: added += 1
            case .moveBack: movedBack += 1
            case .change: changed += 1
            case .remove: removed += 1
            }
        }
    }

    /// The numbers of lines by what they are about.
    public struct Summary: Hashable, Sendable, Encodable {
        /// The lines about sessions.
        public var sessions = Counts()
        /// The lines about tabs.
        public var tabs = Counts()
        /// The lines about other nodes.
        public var nodes = Counts()

        /// Counts lines.
        init(_ lines: some Sequence<Line>) {
            for line in lines {
                switch line.item {
                case .session: sessions.add(line.action)
                case .tab: tabs.add(line.action)
                case .node: nodes.add(line.action)
                }
            }
        }
    }

    /// The lines that are not struck out.
    public var activeLines: [Line] { lines.filter { !$0.isStruck } }

    /// The numbers of lines that are not struck out.
    public var summary: Summary { Summary(activeLines) }

    /// Whether there is nothing to do.
    public var isEmpty: Bool { lines.allSatisfy(\.isStruck) }
}
