package import BrowserSessions

/// Applies the lines of a plan to the present, as far as they are true, and finds the changes to save.
///
/// Everything is done to a copy of the present in memory. The forests of the sessions that it touches are
/// then put in order, and the changes are the difference: whatever was struck out or changed since, they
/// follow the rules of a store.
package struct PlanApplication {
    private let plan: RestorePlan
    private let present: SessionRecords
    private let hidden: Set<SessionID>
    /// What earlier plans brought back that this one undoes.
    package let undoing: Set<SessionItem>
    private var target: SessionRecords
    private var after = SessionRecords()
    private var touched: Set<SessionID> = []
    /// The sessions that are not as the store has them, since what broke a rule was repaired.
    private let repaired: [RestoredSession]
    package private(set) var done: [RestorePlan.Line] = []
    private(set) var skipped: [RestorePlanResult.Skipped] = []
    /// The tabs that come back or change, by the session that had them: their states come back, too.
    private(set) var tabsToFill: [SessionID: Set<TabID>] = [:]
    /// The tabs among them that are there now.
    package private(set) var tabsToRefill: Set<TabID> = []

    private typealias Line = RestorePlan.Line
    private typealias Reason = RestorePlanResult.Reason

    /// - Parameters:
    ///   - present: all sessions as they are now.
    ///   - hidden: the sessions that are out of sight of a browser that runs: nothing is removed from them but
    ///     what is undone.
    ///   - undoing: what earlier plans brought back that this one undoes.
    package init(
        _ plan: RestorePlan, to present: [RestoredSession], hidden: Set<SessionID> = [],
        undoing: Set<SessionItem> = []
    ) {
        var plan = plan
        // A file may say anything.
        plan.lines.removeAll { line in
            [line.now, line.then].contains { $0?.session.keepsHistory == false }
        }
        (self.plan, self.hidden, self.undoing) = (plan, hidden, undoing)
        self.present = SessionRecords(present)
        repaired = present.filter { !$0.repairs.isEmpty && $0.id.keepsHistory }
        target = self.present
    }

    /// Returns the changes; empty if no line is true.
    package mutating func run() -> SessionChanges {
        let lines = plan.activeLines.filter { line in
            let isOutOfSight = line.action == .remove && hidden.contains(line.session)
            guard isOutOfSight, !undoing.contains(line.item) else { return true }
            note(line, .outOfSight)
            return false
        }
        for line in lines where line.action != .remove { note(line, perform(line)) }
        remove(lines.filter { $0.action == .remove })
        guard !done.isEmpty else { return SessionChanges() }
        touched.formUnion(repaired.map(\.id))
        setPlaces()
        var forests = TargetForests(target, touched)
        forests.run(lines: plan.lines)
        let before = present.limited(to: touched)
        if plan.mode == .merge { forests.removeShelvesEmptied(since: before) }
        after = forests.records.limited(to: touched)
        return changes(from: before, to: after)
    }

    /// The sessions that differ, as they are after ``run()``. One that is removed has what is in no other one.
    package var sessionsAfter: [SessionID: RestoredSession] {
        let (now, then) = (present.limited(to: touched).sessions, after.sessions)
        var sessions = then.filter { id, session in
            session != now[id] || session.tabs.contains { tabsToRefill.contains($0.id) }
        }
        for (id, var session) in now where then[id] == nil {
            session.tabs.removeAll { after[.tab($0.id)] != nil }
            session.nodes.removeAll { after[.node($0.id)] != nil }
            sessions[id] = session
        }
        return sessions
    }

    private func changes(from before: SessionRecords, to after: SessionRecords) -> SessionChanges {
        var before = before
        let isRepaired = Set(repaired.map(\.id))
        // The store may have what a repair left out below what is there, or the other way round: all that
        // is there is put, and the rest removed.
        for record in before.ordered where after[record.item] != nil {
            let isRefilled = record.tab.map { tabsToRefill.contains($0.id) } ?? false
            if isRefilled || isRepaired.contains(record.session) { before[record.item] = nil }
        }
        var changes = SessionDifference(from: before, to: after).changes
        for session in repaired where after.attributes(session.id) != nil {
            for node in Set(session.repairs.compactMap(\.node))
            where after.element(node) == nil && before.element(node) == nil {
                changes.remove(node, from: session.id)
            }
        }
        changes.isIntended = true
        return changes
    }

    private mutating func note(_ line: Line, _ reason: Reason?) {
        if let reason {
            skipped.append(.init(line: line, reason: reason))
        } else {
            done.append(line)
            for record in [line.now, line.then] {
                if let record { touched.insert(record.session) }
            }
        }
    }

    // MARK: Bringing back

    /// Returns why a line is not done; `nil` if it was.
    private mutating func perform(_ line: Line) -> Reason? {
        guard let then = line.then else { return nil }
        if case .session(let id) = then.item { return perform(line, on: id, then) }
        guard let there = target[then.item] else {
            if line.action == .change { return .gone }
            // Something else may have the identifier.
            if let id = then.nodeID, target.element(id) != nil { return .changedSince }
            put(then)
            if let tab = then.tab { tabsToFill[then.session, default: []].insert(tab.id) }
            return nil
        }
        guard line.action != .add, let now = line.now, there.session == now.session else {
            return reason(there, then)
        }
        if plan.mode == .merge {
            put(there.back(at: then))
        } else {
            guard there.isStill(now) else { return reason(there, then) }
            put(then)
            if let tab = then.tab, line.statesDiffer || !then.isStill(now) {
                tabsToFill[then.session, default: []].insert(tab.id)
                tabsToRefill.insert(tab.id)
            }
        }
        return nil
    }

    private mutating func perform(_ line: Line, on id: SessionID, _ then: SessionRecord) -> Reason?
    {
        guard let there = target.attributes(id) else {
            guard line.action == .add else { return .gone }
            put(then)
            return nil
        }
        let record = SessionRecord.session(id, there)
        guard line.action == .change, let now = line.now else { return reason(record, then) }
        if plan.mode == .merge {
            guard there.closedAt != nil else { return .alreadySo }
            var reopened = there
            reopened.closedAt = nil
            put(.session(id, reopened))
        } else {
            guard record.isStill(now) else { return reason(record, then) }
            put(then)
        }
        return nil
    }

    /// Returns why a line is not done that finds something else than it was made for.
    private func reason(_ there: SessionRecord, _ then: SessionRecord) -> Reason {
        let isOpen = there.attributes?.closedAt == nil || then.attributes?.closedAt != nil
        let isSo = plan.mode == .merge ? isOpen : there.isStill(then)
        return isSo && there.session == then.session ? .alreadySo : .changedSince
    }

    private mutating func put(_ record: SessionRecord) {
        let session = SessionItem.session(record.session)
        if record.item != session, target[session] == nil {
            target[session] = SessionRecord.session(record.session, SessionAttributes())
        }
        target[record.item] = record
    }

    // MARK: Removing

    /// Removes tabs, then nodes from the deepest up, then sessions, if there is nothing left in them.
    private mutating func remove(_ lines: [Line]) {
        for line in lines where line.now?.tab != nil { note(line, remove(line)) }
        var children: [NodeID: Int] = [:]
        for record in target.records.values {
            if let parent = record.parent { children[parent, default: 0] += 1 }
        }
        for line in lines.reversed() {
            guard let node = line.now?.node else { continue }
            let isEmpty = children[node.id, default: 0] == 0
            let reason = isEmpty ? remove(line) : .notEmpty
            if reason == nil, let parent = node.parent { children[parent, default: 0] -= 1 }
            note(line, reason)
        }
        let filled = target.filledSessions
        for line in lines {
            guard case .session(let id) = line.item else { continue }
            note(line, filled.contains(id) ? .notEmpty : remove(line))
        }
    }

    private mutating func remove(_ line: Line) -> Reason? {
        guard let now = line.now else { return nil }
        guard let there = target[now.item] else { return .alreadySo }
        guard there.session == now.session, there.isSamePage(as: now) else { return .changedSince }
        target[now.item] = nil
        return nil
    }

    // MARK: Order

    private mutating func setPlaces() {
        for place in plan.places {
            guard var record = target[place.item], record.session == place.session else { continue }
            record.position?.place = place.place
            target[place.item] = record
            touched.insert(place.session)
        }
    }
}

extension SessionRecord {
    /// Whether the record is as another one of the same item, apart from its order and when it was used.
    fileprivate func isStill(_ other: SessionRecord) -> Bool {
        fieldsThatDiffer(from: other).allSatisfy { $0 == "lastActiveAt" }
    }

    /// Whether what a person would miss is the same.
    fileprivate func isSamePage(as other: SessionRecord) -> Bool {
        switch (self, other) {
        case (.tab(let one, _), .tab(let other, _)): one.url == other.url
        case (.node(let one, _), .node(let other, _)):
            one.kind == other.kind && one.name == other.name
        default: true
        }
    }
}
