public import BrowserSessions

extension SessionDifference {
    /// Compares two states. A session that is not among the second ones counts as removed.
    ///
    /// - Parameters:
    ///   - before: all sessions of the one state.
    ///   - after: all sessions of the other one.
    public init(from before: [RestoredSession], to after: [RestoredSession]) {
        self.init(from: SessionRecords(before), to: SessionRecords(after))
    }

    /// Compares two states of one session of any partition and kind.
    ///
    /// - Parameter before: the session as it was; `nil` if it was not there.
    package init(of before: RestoredSession?, to after: RestoredSession) {
        self.init(
            from: SessionRecords(before.map { [$0] } ?? [], ofAnyKind: true),
            to: SessionRecords([after], ofAnyKind: true))
    }

    init(from before: SessionRecords, to after: SessionRecords) {
        var comparison = RecordComparison(before, after)
        comparison.run()
        self.init(
            entries: comparison.entries.sorted { $0.rank < $1.rank }.map(\.entry),
            silent: comparison.silent)
    }
}

/// Finds what differs between the records of two states.
struct RecordComparison {
    private let before: SessionRecords
    private let after: SessionRecords
    private var moved: Set<SessionItem> = []
    private(set) var entries: [(rank: Rank, entry: SessionDifference.Entry)] = []
    private(set) var silent: [SessionRecord] = []

    /// The order of entries: by how something differs, what it is, and where it comes.
    struct Rank: Comparable {
        var change: SessionDifference.Change
        var sort: Int
        var number: Int

        static func < (left: Self, right: Self) -> Bool {
            (left.change, left.sort, left.number) < (right.change, right.sort, right.number)
        }
    }

    init(_ before: SessionRecords, _ after: SessionRecords) {
        (self.before, self.after) = (before, after)
    }

    mutating func run() {
        findMovesAmongSiblings()
        for (number, record) in before.ordered.enumerated() where after[record.item] == nil {
            add(.removed, number, before: record, after: nil)
        }
        for (number, record) in after.ordered.enumerated() {
            guard let old = before[record.item] else {
                add(.added, number, before: nil, after: record)
                continue
            }
            compare(old, record, number)
        }
        keepEmptiedSessions()
    }

    private mutating func compare(_ old: SessionRecord, _ new: SessionRecord, _ number: Int) {
        let isMoved = old.position?.list != new.position?.list || moved.contains(new.item)
        guard isMoved || old.encodedPayload() != new.encodedPayload() else { return }
        var fields = old.fieldsThatDiffer(from: new)
        if isMoved, old.position?.place != new.position?.place { fields.append("place") }
        if isMoved {
            add(.moved, number, before: old, after: new, fields)
        } else if fields.isEmpty {
            silent.append(new)
        } else {
            add(.changed, number, before: old, after: new, fields)
        }
    }

    private mutating func add(
        _ change: SessionDifference.Change, _ number: Int, before: SessionRecord?,
        after: SessionRecord?, _ fields: [String] = []
    ) {
        let entry = SessionDifference.Entry(
            change: change, before: before, after: after, fields: fields)
        let sort =
            switch entry.item {
            case .session: 0
            case .tab: 1
            case .node: 2
            }
        entries.append((Rank(change: change, sort: sort, number: number), entry))
    }

    /// Finds what is in the same list of siblings, and elsewhere among those that stayed in it. A list that
    /// only got other order keys has no moves.
    private mutating func findMovesAmongSiblings() {
        var lists: [SessionRecord.SiblingList: [(old: SessionRecord, new: SessionRecord)]] = [:]
        for (item, new) in after.records {
            guard let position = new.position, let old = before[item],
                old.position?.list == position.list
            else { continue }
            lists[position.list, default: []].append((old, new))
        }
        for siblings in lists.values {
            let wasBefore = siblings.sorted { Self.precedes($0.old, $1.old) }
            let ranks = Dictionary(
                uniqueKeysWithValues: wasBefore.enumerated().map { ($1.new.item, $0) })
            let now = siblings.sorted { Self.precedes($0.new, $1.new) }
            for index in now.map({ ranks[$0.new.item] ?? 0 }).indicesOutOfOrder() {
                moved.insert(now[index].new.item)
            }
        }
    }

    private static func precedes(_ one: SessionRecord, _ other: SessionRecord) -> Bool {
        guard let one = one.position, let other = other.position else { return false }
        return one < other
    }

    /// Puts the attributes of sessions that have lost their last tab or node: a session without attributes
    /// would go with it.
    private mutating func keepEmptiedSessions() {
        let put = Set(entries.compactMap { $0.entry.after?.item } + silent.map(\.item))
        for session in before.filledSessions.subtracting(after.filledSessions).sorted() {
            let item = SessionItem.session(session)
            guard !put.contains(item), let record = after[item] else { continue }
            silent.append(record)
        }
    }
}
