import BrowserSessions

/// One step of a random use of a store.
///
/// Steps are absolute: none needs another, so every part of a sequence is also a sequence. This
/// makes it possible to find a short one that fails.
struct ModelOperation: Sendable {
    enum Kind: Sendable {
        case save(SessionChanges, Durability, expecting: Expectation)
        case deleteIncognito
        case check
        case repair
        /// Opens the store a second time, which must be refused.
        case openAgain
        /// Closes and opens; a save through the closed store comes too late.
        case reopen(late: SessionChanges?)
        case kill(KilledRun)
    }

    /// What a set expects of the number of the last set.
    enum Expectation: String, Sendable {
        case nothing, right, wrong
    }

    /// The index in the whole sequence, which every part keeps.
    var number: Int
    var kind: Kind
    /// Whether everything is read and compared afterward; always after reopening.
    var isChecked: Bool

    /// The same step with the process killed between two saves. A kill within one may leave the set
    /// or not, and stores in lockstep would diverge.
    var killingAtRest: ModelOperation {
        guard case .kill(var run) = kind, case .within(let place) = run.moment else { return self }
        run.moment = .resting(after: place)
        var operation = self
        operation.kind = .kill(run)
        return operation
    }

    var isReopening: Bool {
        switch kind {
        case .reopen, .kill: true
        default: false
        }
    }
}

/// A process that saves some sets and is killed.
struct KilledRun: Sendable {
    struct Save: Sendable {
        /// The index in the whole run, from 0, which every part keeps.
        var number: Int
        var changes: SessionChanges
        var durability: Durability
    }

    enum Moment: Hashable, Sendable {
        /// After this many saves, while the process does nothing.
        case resting(after: Int)
        /// Shortly after the save of that number, from 1, has begun.
        case within(Int)
    }

    var saves: [Save]
    var moment: Moment
}

extension KilledRun {
    /// Removes some saves; the process is killed after as many of the others as before.
    mutating func remove(_ range: Range<Int>) {
        func left(of count: Int) -> Int { count - range.count { $0 < count } }
        switch moment {
        case .resting(let count): moment = .resting(after: left(of: count))
        case .within(let place):
            moment =
                range.contains(place - 1)
                ? .resting(after: left(of: place)) : .within(left(of: place))
        }
        saves.removeSubrange(range)
    }
}

extension ModelOperation: CustomStringConvertible {
    /// A description without session content.
    var description: String {
        switch kind {
        case .save(let changes, let durability, let expecting):
            let condition = expecting == .nothing ? "" : ", expecting the \(expecting) number"
            return "\(number) save(\(changes.outline)) \(durability.rawValue)\(condition)"
        case .deleteIncognito: return "\(number) deleteIncognito"
        case .check: return "\(number) check"
        case .repair: return "\(number) repair"
        case .openAgain: return "\(number) open a second time"
        case .reopen(let late):
            return "\(number) close and open" + (late == nil ? "" : ", with a save between them")
        case .kill(let run):
            let moment =
                switch run.moment {
                case .resting(let count): "after save \(count)"
                case .within(let place): "within save \(place)"
                }
            let saves = run.saves.map { "save(\($0.changes.outline))" }.joined(separator: " ")
            return "\(number) kill a process \(moment) of: \(saves)"
        }
    }
}

extension SessionChanges {
    /// The changes in short: `t3 in r1, -t4 from r2, t3.native 20 bytes`.
    var outline: String {
        let commit = commitID.map { ["commit \($0.low)"] } ?? []
        return (changes.map(\.outline) + commit).joined(separator: ", ")
    }
}

extension SessionChanges.Change {
    fileprivate var outline: String {
        typealias Names = ModelNames
        switch self {
        case .put(.session(let id, _)): return Names.short(id)
        case .remove(.session(let id), _): return "-\(Names.short(id))"
        case .put(.tab(let tab, let id)):
            let isLong = tab.place.length > OrderKey.maximumLength
            let place = isLong ? " at a place of \(tab.place.length) bytes" : ""
            let parent = tab.parent.map { " below \(Names.short($0))" } ?? ""
            return "\(Names.short(tab.id))\(parent) in \(Names.short(id))\(place)"
        case .remove(.tab(let tab), let id): return "-\(Names.short(tab)) from \(Names.short(id))"
        case .putState(let bytes, let key): return "\(Names.short(key)) \(bytes.count) bytes"
        case .put(.node(let node, let id)):
            let parent = node.parent.map { " below \(Names.short($0))" } ?? ""
            return "\(node.kind.rawValue) n\(node.id.low)\(parent) in \(Names.short(id))"
        case .remove(.node(let node), let id): return "-n\(node.low) from \(Names.short(id))"
        case .removeState(let key): return "-\(Names.short(key))"
        }
    }
}
