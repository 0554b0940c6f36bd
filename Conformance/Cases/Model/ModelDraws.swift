import BrowserSessions
import SessionSamples

/// Draws random changes of the few records of ``ModelNames``.
struct ModelDraws {
    var generator: SeededGenerator
    /// A counter that makes every text different.
    private var texts = 0
    private var commits: [SessionChanges] = []
    /// What the sets so far would have made, about which sets with nodes are drawn; `nil` without nodes.
    var drawn: StoreModel?

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        drawn = ModelSequence.hasNodes(seed) ? StoreModel(keepsRestorePoints: false) : nil
    }

    mutating func partition() -> StoragePartition {
        generator.chance(1, in: 4) ? .incognito : .regular
    }

    mutating func durability() -> Durability {
        generator.chance(1, in: 5) ? .powerLoss : .processCrash
    }

    // MARK: - Sets

    /// Returns a set that does not contradict itself.
    ///
    /// - Parameter isLegal: whether every store must accept it, with any content: states come only
    ///   with their tabs.
    mutating func set(in partition: StoragePartition, isLegal: Bool = false) -> SessionChanges {
        var changes: [SessionChanges.Change] = []
        let wanted = size()
        while changes.count < wanted {
            let next = change(in: partition, withTabs: isLegal)
            if isWanted(changes + next) { changes += next }
        }
        noteDrawn(changes)
        var set = SessionChanges(all: changes)
        if generator.chance(1, in: 3) {
            set.commitID = CommitID(high: 0x30DE1, low: UInt64(commits.count + 1))
            commits.append(set)
        }
        return set
    }

    /// Returns the first set, in which most tabs are in a session, with state.
    mutating func openingSet(in partition: StoragePartition) -> SessionChanges {
        var changes: [SessionChanges.Change] = []
        for id in ModelNames.sessions(in: partition).dropLast() {
            changes.append(.put(.session(id, attributes())))
        }
        for tab in ModelNames.tabs.dropLast(2) {
            var put = SessionChanges.Change.put(metadata(tab), in: session(partition))
            while isLostMember(changes + [put]) {
                put = .put(metadata(tab), in: session(partition))
            }
            changes.append(put)
            let name = generator.pick(ModelNames.states)
            changes.append(
                .putState(blob(), for: TabStateKey(tab: tab, name: name, partition: partition)))
        }
        noteDrawn(changes)
        return SessionChanges(all: changes)
    }

    /// Returns any set; many contradict themselves, exceed a limit, or concern both partitions.
    mutating func wildSet() -> SessionChanges {
        let own = partition()
        var changes: [SessionChanges.Change] = []
        for _ in 0..<size() {
            changes += change(in: generator.chance(1, in: 25) ? partition() : own)
        }
        if generator.chance(1, in: 6) {
            let key = generator.pick(ModelNames.keys(in: own))
            let size = ModelNames.maximumStateBytes + generator.integer(in: 1...3)
            changes.append(.putState([UInt8](repeating: 7, count: size), for: key))
        }
        if generator.chance(1, in: 10) {
            var tab = metadata(generator.pick(ModelNames.tabs))
            let bytes = [UInt8](repeating: 2, count: OrderKey.maximumLength + 1)
            tab.place = OrderKey(bytes: bytes) ?? tab.place
            changes.append(.put(tab, in: session(own)))
        }
        return SessionChanges(all: changes)
    }

    /// Returns an earlier set with a commit id, as a caller repeats it after losing the answer.
    mutating func repeatedSet() -> SessionChanges? {
        commits.isEmpty ? nil : generator.pick(commits.suffix(8).map(\.self))
    }

    private mutating func size() -> Int {
        generator.chance(1, in: 8)
            ? generator.integer(in: 8...25) : generator.integer(in: 1...5)
    }

    // MARK: - Changes

    /// Returns a change, or a few that belong together.
    ///
    /// - Parameter withTabs: whether a state always comes with its tab.
    private mutating func change(in partition: StoragePartition, withTabs: Bool = false)
        -> [SessionChanges.Change]
    {
        if drawn != nil, generator.chance(2, in: 3) { return nodeChange(in: partition) }
        let tab = generator.pick(ModelNames.tabs)
        let session = session(partition)
        let key = TabStateKey(
            tab: tab, name: generator.pick(ModelNames.states), partition: partition)
        switch generator.integer(in: 0...19) {
        case 0...7: return [.put(metadata(tab), in: session)]
        case 8, 9:
            // A move as a browser writes it, naming both sessions.
            return [
                .put(metadata(tab), in: session), .remove(tab, from: self.session(partition)),
            ]
        case 10, 11: return [.remove(tab, from: session)]
        case 12, 13: return [.put(.session(session, attributes()))]
        case 14: return [.remove(session)]
        case 15...17 where !withTabs: return [.putState(blob(), for: key)]
        case 15...18: return [.put(metadata(tab), in: session), .putState(blob(), for: key)]
        default: return [.removeState(key)]
        }
    }

    mutating func session(_ partition: StoragePartition) -> SessionID {
        generator.pick(ModelNames.sessions(in: partition))
    }

    private mutating func blob() -> [UInt8] {
        let limit = ModelNames.maximumStateBytes
        let size = generator.pick([0, 1, 20, 20, 300, 300, limit - 1, limit])
        let first = UInt8(truncatingIfNeeded: generator.next())
        return (0..<size).map { first &+ UInt8(truncatingIfNeeded: $0 &* 7) }
    }
}

// MARK: - Records

extension ModelDraws: FieldEditor {
    mutating func text(_ field: Field, _ value: inout String) { value = text() }
    mutating func time(_ field: Field, _ value: inout Timestamp) { value = time() }
    mutating func number(_ field: Field, _ value: inout Int32) {
        value = Int32(generator.integer(in: 0...50))
    }
    mutating func texts(_ field: Field, _ value: inout [String: String]) { value = properties() }

    private mutating func text() -> String {
        texts += 1
        return generator.pick([
            "", "\(texts)", "Page \(texts)", "Säge \(texts) 🪚", "頁 \(texts) ",
            "\0A\u{308} \(texts)", String(repeating: "long ", count: 60) + "\(texts)",
        ])
    }

    private mutating func time() -> Timestamp {
        let bits = Int64(bitPattern: generator.next())
        return Timestamp(microseconds: bits >> generator.integer(in: 0...40))
    }

    private mutating func properties() -> [String: String] {
        generator.chance(1, in: 4) ? ["zoom": "\(generator.integer(in: 50...200))", "": ""] : [:]
    }

    mutating func metadata(_ id: TabID) -> TabMetadata {
        let area = generator.pick(ModelNames.Area.allCases)
        var tab = TabMetadata(id: id, place: generator.pick(area.places))
        tab.visitFields(&self)
        tab.isPinned = area == .pinned
        if drawn != nil { putAnywhere(&tab) }
        if generator.chance(1, in: 12) {
            tab.opener = TabOpener(
                tab: generator.pick(ModelNames.tabs),
                navigationIndex: Int32(generator.integer(in: 0...5)))
        }
        return tab
    }

    fileprivate mutating func attributes() -> SessionAttributes {
        var attributes = SessionAttributes()
        attributes.visitFields(&self)
        if generator.chance(1, in: 6) { attributes.activeTab = generator.pick(ModelNames.tabs) }
        return attributes
    }
}
