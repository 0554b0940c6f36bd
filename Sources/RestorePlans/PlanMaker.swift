package import BrowserSessions

/// Compares a state of the past with the present, and makes the lines of a plan.
struct PlanMaker {
    private let past: SessionRecords
    private let present: SessionRecords
    private var lines: [RestorePlan.Line] = []
    private var places: [RestorePlan.Place] = []

    static func plan(
        _ mode: RestorePlan.Mode, at point: RestorePoint?, from past: SessionRecords,
        over present: SessionRecords, unreadable: [SessionID] = [], otherStates: Set<TabID> = []
    ) -> RestorePlan {
        var maker = PlanMaker(past: past, present: present)
        switch mode {
        case .merge: maker.merge()
        case .replace: maker.replace(otherStates)
        }
        maker.number()
        maker.link()
        return RestorePlan(
            point: point, mode: mode, unreadable: unreadable, lines: maker.lines,
            places: maker.places,
            knownSessions: maker.knownSessions)
    }

    /// Sessions of both states, since few may be left.
    private var knownSessions: [SessionID] {
        let sessions = (past.ordered + present.ordered).lazy.filter { $0.nodeID == nil }
        return Array(Set(sessions.map(\.session)).sorted().prefix(256))
    }

    private mutating func add(
        _ action: RestorePlan.Action, now: SessionRecord?, then: SessionRecord?,
        statesDiffer: Bool = false
    ) {
        lines.append(
            RestorePlan.Line(
                id: lines.count + 1, action: action, now: now, then: then, requires: [],
                statesDiffer: statesDiffer))
    }

    // MARK: Merging

    private mutating func merge() {
        for record in past.ordered {
            guard let now = present[record.item] else {
                // An identifier that something else has now stays with that.
                let isTaken = record.nodeID.map { present.element($0) != nil } ?? false
                if !isTaken { add(.add, now: nil, then: record) }
                continue
            }
            if let attributes = now.attributes {
                reopen(attributes, record.session)
            } else if now.session != record.session, past.isOpen(record.session),
                !present.isOpen(now.session)
            {
                add(.moveBack, now: now, then: now.back(at: record))
            }
        }
        repeat { link() } while dropHolders()
        liftOrphans()
    }

    /// Opens a window that was closed since.
    private mutating func reopen(_ attributes: SessionAttributes, _ session: SessionID) {
        guard attributes.closedAt != nil, past.isOpen(session) else { return }
        var reopened = attributes
        reopened.closedAt = nil
        add(
            .change, now: SessionRecord.session(session, attributes),
            then: SessionRecord.session(session, reopened))
    }

    /// Drops what would come back with nothing in it, since all that it had is elsewhere now. Returns
    /// whether there was any.
    private mutating func dropHolders() -> Bool {
        let had = Set(past.filledSessions)
        var contents: [Int: Int] = [:]
        for line in lines {
            for required in line.requires { contents[required, default: 0] += 1 }
        }
        let count = lines.count
        lines.removeAll { line in
            guard line.action != .change, let then = line.then, then.isOnlyForItsContent else {
                return false
            }
            if then.attributes != nil, !had.contains(then.session) { return false }
            return contents[line.id, default: 0] < (then.node?.kind == .split ? 2 : 1)
        }
        return lines.count < count
    }

    /// Takes what was in something that does not come back to the nearest node above it that does, or is
    /// there.
    private mutating func liftOrphans() {
        let comings = comings
        for index in lines.indices {
            guard var then = lines[index].then, let parent = then.parent else { continue }
            func holder(_ id: NodeID) -> SessionRecord? {
                let coming = comings[.node(id)] ?? comings[.tab(TabID(id))]
                return [coming?.then, present.element(id)].compactMap(\.self)
                    .first { $0.session == then.session }
            }
            var next: NodeID? = parent
            while let id = next, holder(id) == nil { next = past.element(id)?.parent }
            guard next != parent else { continue }
            then.lift(into: next.flatMap(holder))
            lines[index] = RestorePlan.Line(
                id: lines[index].id, action: lines[index].action, now: lines[index].now,
                then: then, requires: [])
        }
    }

    /// The lines that bring something to a session.
    private var comings: [SessionItem: RestorePlan.Line] {
        let coming = lines.lazy.filter { $0.action == .add || $0.action == .moveBack }
        return Dictionary(coming.map { ($0.item, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Numbers the lines in the order in which a person reads them.
    private mutating func number() {
        let sorted = RestorePlan.Action.allCases.flatMap { action in
            lines.filter { $0.action == action }
        }
        lines = sorted
        for index in lines.indices { lines[index].id = index + 1 }
    }

    // MARK: Replacing

    /// - Parameter otherStates: the tabs that had other states than they have.
    private mutating func replace(_ otherStates: Set<TabID>) {
        let difference = SessionDifference(from: present, to: past)
        var left = otherStates
        for entry in difference.entries {
            let action: RestorePlan.Action =
                switch entry.change {
                case .added: .add
                case .moved: .moveBack
                case .changed: .change
                case .removed: .remove
                }
            let isOther = entry.after?.tab.map { left.remove($0.id) != nil } ?? false
            add(action, now: entry.before, then: entry.after, statesDiffer: isOther)
        }
        for record in past.ordered where record.tab.map({ left.contains($0.id) }) ?? false {
            add(.change, now: present[record.item], then: record, statesDiffer: true)
        }
        places = difference.silent.compactMap { record in
            record.position.map {
                RestorePlan.Place(item: record.item, session: record.session, place: $0.place)
            }
        }
    }

    // MARK: What lines need

    private mutating func link() {
        let comings = comings
        var goings: [SessionID: [Int]] = [:]
        var goingsBelow: [NodeID: [Int]] = [:]
        for line in lines {
            guard line.action == .remove || line.action == .moveBack, let now = line.now,
                now.nodeID != nil
            else { continue }
            if line.then?.session != now.session {
                goings[now.session, default: []].append(line.id)
            }
            if let parent = now.parent, line.then?.parent != parent {
                goingsBelow[parent, default: []].append(line.id)
            }
        }
        for index in lines.indices {
            lines[index].requires =
                switch lines[index].item {
                case .session(let id) where lines[index].action == .remove: goings[id] ?? []
                case .node(let id) where lines[index].action == .remove: goingsBelow[id] ?? []
                default: holders(of: lines[index], in: comings)
                }
        }
    }

    /// Returns the lines that bring back what a record is in.
    private func holders(of line: RestorePlan.Line, in comings: [SessionItem: RestorePlan.Line])
        -> [Int]
    {
        guard line.action != .remove, let then = line.then, then.nodeID != nil else { return [] }
        var holders: [Int] = []
        if let session = comings[.session(then.session)] { holders.append(session.id) }
        if let parent = then.parent,
            let holder = comings[.node(parent)] ?? comings[.tab(TabID(parent))],
            holder.then?.session == then.session
        {
            holders.append(holder.id)
        }
        return holders
    }
}

extension RestorePlan {
    /// Makes a plan that brings what is in one session, which is not open, back to another one.
    package init(from past: RestoredSession, over present: RestoredSession) {
        self = PlanMaker.plan(
            .merge, at: nil, from: SessionRecords([past]), over: SessionRecords([present]))
    }
}

extension SessionRecords {
    /// Whether the user has the session open: not kept for later, and not a window that was closed.
    func isOpen(_ session: SessionID) -> Bool {
        switch session.kind.role {
        case .shelf, .notes: false
        case .companion, .library, .window:
            session.kind != .backup && attributes(session)?.closedAt == nil
        }
    }
}
