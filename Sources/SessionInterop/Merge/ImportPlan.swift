public import BrowserSessions

/// What an import does with a store.
public struct ImportPlan: Sendable {
    let windows: [PlannedWindow]
    let records: ImportRecords
    /// Tabs that no session of a source has any more, by source.
    let gone: [Int?: Int]
    let sourceCount: Int

    /// What is added, updated and left.
    public var report: MergeReport { report(without: []) }

    /// The same if the store refused some sessions.
    public func report(without refused: [Refusal]) -> MergeReport {
        let refused = Set(refused.map(\.session))
        var report = MergeReport()
        report.sources = (0..<sourceCount).map { _ in MergeCounts() }
        report.recordsGivenUp = records.unreadableCount
        func add(_ counts: MergeCounts, of source: Int?) {
            report.totals += counts
            if let source { report.sources[source] += counts }
        }
        for window in windows where !refused.contains(window.source) {
            add(window.counts, of: window.sourceIndex)
        }
        for (source, count) in gone {
            var counts = MergeCounts()
            counts.goneInSource = count
            add(counts, of: source)
        }
        return report
    }

    /// A session that the store refused, such as one with more names of groups than a store keeps.
    public struct Refusal: Sendable {
        /// As in `SessionImport.sessions`.
        public var session: SessionID
        public var error: StorageError
    }

    /// What one save holds: so many bytes, or changes. What is damaged later may cost a whole set, and
    /// a set that does not wait for the medium costs little.
    private static let setBytes = 256 << 10
    private static let setChanges = 64
    /// Every so many sets one waits for the medium, so that a power cut, or damage behind the last that
    /// did, costs no more.
    private static let durableInterval = 64

    /// The sessions in which something changes, as `SessionImport.sessions` names them.
    public var changedSessions: [SessionID] {
        windows.filter { !$0.changes.isEmpty }.map(\.source)
    }

    /// Saves it, in change sets of many sessions; the last of each partition waits for the medium, and of the
    /// others one in 64.
    ///
    /// Each set has whole sessions together with what is noted of them. So an import that was
    /// interrupted is repeated: a new plan has what is missing. When nothing is to be changed, nothing
    /// is saved.
    ///
    /// - Parameter progress: Is given how many sessions are done, of all there are.
    /// - Returns: What the store refused as `tooLarge` or `invalidChanges`; all else is saved.
    /// - Throws: What the store throws otherwise.
    @discardableResult
    public func apply(
        to storage: any SessionStorage, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(StorageError) -> [Refusal] {
        var saving = Saving(storage: storage, records: records)
        var done = 0
        for partition in StorageSide.allCases {
            let own = windows.filter { $0.target.side == partition }
            var rest = own[...]
            var number = 0
            while !rest.isEmpty {
                var (count, bytes, changes) = (0, 0, 0)
                for window in rest {
                    bytes += window.byteCount
                    changes += window.changes.count
                    count += 1
                    if bytes > Self.setBytes || changes > Self.setChanges { break }
                }
                let waits = count == rest.count || number % Self.durableInterval == 0
                try await saving.save(rest.prefix(count), partition, durably: waits)
                number += 1
                rest = rest.dropFirst(count)
                done += count
                progress(done, windows.count)
            }
        }
        return saving.refusals
    }

    private struct Saving {
        let storage: any SessionStorage
        private let recordsBefore: ImportRecords
        private var records: ImportRecords
        /// What is saved, by partition.
        private var saved: [StorageSide: [PlannedWindow]] = [:]
        private(set) var refusals: [Refusal] = []

        init(storage: any SessionStorage, records: ImportRecords) {
            self.storage = storage
            self.records = records
            recordsBefore = records
        }

        mutating func save(
            _ windows: ArraySlice<PlannedWindow>, _ partition: StorageSide, durably: Bool
        ) async throws(StorageError) {
            let traits = storage.traits
            let durability =
                durably
                ? traits.defaultDurability : min(.processCrash, traits.greatestDurability)
            var changes = SessionChanges()
            for window in windows {
                for change in window.changes { changes.add(change) }
                records.note(window)
            }
            for change in records.takeChanges(partition) { changes.add(change) }
            guard !changes.isEmpty else { return }
            do throws(StorageError) {
                _ = try await storage.save(changes, durability: durability)
                saved[partition, default: []] += windows
            } catch {
                guard [.tooLarge, .invalidChanges].contains(error.code) else { throw error }
                noteSavedAlone()
                if windows.count == 1, let window = windows.first {
                    refusals.append(Refusal(session: window.source, error: error))
                    return
                }
                // One is refused: halving finds it, and saves the others together.
                let half = windows.startIndex + windows.count / 2
                try await save(windows[..<half], partition, durably: durably)
                try await save(windows[half...], partition, durably: durably)
            }
        }

        /// No copy of the records is kept for each set: with one, the next change would copy them all.
        private mutating func noteSavedAlone() {
            records = recordsBefore
            for (partition, windows) in saved {
                for window in windows { records.note(window) }
                _ = records.takeChanges(partition)
            }
        }
    }
}

extension ImportRecords {
    fileprivate mutating func note(_ window: PlannedWindow) {
        if let noted = window.noted { note(noted, insteadOf: window.insteadOf) }
    }
}

/// What is done with one session of a source.
struct PlannedWindow: Sendable {
    /// The session as the source names it, and the index of its source.
    var source: SessionID
    var sourceIndex: Int?
    /// Where it goes.
    var target: SessionID
    var changes: [SessionChanges.Change] = []
    /// What is noted of it, if that is something new.
    var noted: NotedWindow?
    /// The session that it was noted with before.
    var insteadOf: SessionID?
    var counts = MergeCounts()

    var byteCount: Int {
        changes.reduce(0) { sum, change in
            if case .putState(let bytes, _) = change { sum + bytes.count } else { sum }
        }
    }
}
