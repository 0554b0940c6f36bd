public import BrowserSessions

/// The changes that an import makes in a store.
public struct ImportPlan: Sendable {
    var windows: [PlannedWindow] = []
    var records: ImportRecords
    /// The number of tabs, by source, that no session of the source has anymore.
    var gone: [Int?: Int] = [:]
    /// The places of the earlier imports that each source matches.
    var matched: [Int?: Set<String>] = [:]
    let sourceCount: Int

    /// The report of what the plan adds, updates and leaves unchanged.
    public var report: MergeReport { report(without: []) }

    /// Returns the report without the sessions that the store refused.
    public func report(without refused: [Refusal]) -> MergeReport {
        let refused = Set(refused.map(\.session))
        var report = MergeReport()
        report.sources = (0..<sourceCount).map { _ in MergeCounts() }
        report.matched = (0..<sourceCount).map { matched[$0]?.sorted() ?? [] }
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

    /// A session that the store refused, such as one with records that are larger than it keeps.
    public struct Refusal: Sendable {
        /// The session, as in `SessionImport.sessions`.
        public var session: SessionID
        /// The reason: an error with the code `tooLarge` or `invalidChanges`.
        public var error: StorageError
    }

    /// The size of a save, in bytes or changes, after which the next save begins. Later damage may
    /// destroy a whole set, and a set that does not wait for the medium costs little.
    private static let setBytes = 256 << 10
    private static let setChanges = 64
    /// One in this many sets waits for the medium. A power cut, or damage after such a set, loses
    /// at most this many sets.
    private static let durableInterval = 64

    /// The sessions that change, named as in `SessionImport.sessions`.
    public var changedSessions: [SessionID] {
        windows.filter { !$0.changes.isEmpty }.map(\.source)
    }

    /// Saves the plan in change sets of many sessions. The last set of each partition waits for the
    /// medium, and so does one in 64 of the others.
    ///
    /// Each set has whole sessions with their notes. An interrupted import can therefore be
    /// repeated: a new plan has what is missing. If there is nothing to change, nothing is saved.
    ///
    /// - Parameter storage: The store that the plan was made for.
    /// - Parameter progress: Receives the number of finished sessions and the total.
    /// - Returns: The sessions that the store refused as `tooLarge` or `invalidChanges`. All others
    ///   are saved.
    /// - Throws: Any other error of the store.
    @discardableResult
    public func apply(
        to storage: any SessionStorage, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws(StorageError) -> [Refusal] {
        var saving = Saving(storage: storage, recordsBefore: records, records: records)
        var done = 0
        for partition in StoragePartition.allCases {
            let own = windows.filter { $0.target.partition == partition }
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
        let recordsBefore: ImportRecords
        var records: ImportRecords
        /// The saved windows by partition.
        var saved: [StoragePartition: [PlannedWindow]] = [:]
        var refusals: [Refusal] = []

        mutating func save(
            _ windows: ArraySlice<PlannedWindow>, _ partition: StoragePartition, durably: Bool
        ) async throws(StorageError) {
            let traits = storage.traits
            let durability =
                durably
                ? traits.defaultDurability : min(.processCrash, traits.greatestDurability)
            var changes = SessionChanges()
            for window in windows {
                for change in window.changes { changes.add(change) }
                if let noted = window.noted { records.note(noted, insteadOf: window.insteadOf) }
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
                // One session is refused. Halving the set finds it and saves the others together.
                let half = windows.startIndex + windows.count / 2
                try await save(windows[..<half], partition, durably: durably)
                try await save(windows[half...], partition, durably: durably)
            }
        }

        /// Restores the records to what was saved. A copy for each set would copy all records each time.
        private mutating func noteSavedAlone() {
            records = recordsBefore
            for (partition, windows) in saved {
                for window in windows {
                    if let noted = window.noted { records.note(noted, insteadOf: window.insteadOf) }
                }
                _ = records.takeChanges(partition)
            }
        }
    }
}

/// The changes for one session of a source.
struct PlannedWindow: Sendable {
    /// The session as the source names it, and the index of its source.
    var source: SessionID
    var sourceIndex: Int?
    /// The session in the store.
    var target: SessionID
    var changes: [SessionChanges.Change] = []
    /// The new notes about the session; `nil` if they are unchanged.
    var noted: NotedWindow?
    /// The session that the notes described before.
    var insteadOf: SessionID?
    var counts = MergeCounts()

    var byteCount: Int {
        changes.reduce(0) { sum, change in
            if case .putState(let bytes, _) = change { sum + bytes.count } else { sum }
        }
    }
}
