import BrowserSessions
import LocalFiles
import TestSupport

/// What became of a store after a damage.
enum Outcome: String, CaseIterable {
    /// Opening threw `corrupted`.
    case refused
    /// Everything is there and nothing is reported.
    case intact
    /// Everything is there, and something is reported.
    case noticed
    /// Something is missing or older, and that is reported.
    case salvaged
    /// The store was not closed and came back without its last sets, and that is not reported.
    case shortened
}

/// A store with one damaged file: opens it, judges what it gives back, goes on using it.
struct DamageCase {
    var filled: FilledStore
    var isClosed: Bool
    /// Relative to the root of the store.
    var file: String
    var damage: Damage

    struct Verdict {
        var outcome: Outcome
        var problems: [String] = []
        /// Of 1000 tabs of the damaged partition, how many came back.
        var tabsPerMille = 1000
    }

    private static let mostSeconds = 120

    /// Works in a folder that does not exist.
    func run(in place: TemporaryFolder) async throws -> Verdict {
        let path = place.file("profile")
        try FileSystem.copy(filled.path, to: path)
        let bytes = damage.applied(to: try FileSystem.read("\(path)/\(file)"))
        try FileSystem.remove("\(path)/\(file)")
        if let bytes { try FileSystem.overwrite("\(path)/\(file)", with: bytes) }
        var verdict = Verdict(outcome: .refused)
        let clock = ContinuousClock()
        let start = clock.now
        do {
            let store = try await filled.subject.open(place)
            let content = try await Content.read(store, and: filled.saved)
            judge(content, &verdict)
            try await goOn(store, content, place, &verdict)
            if let bytes { try checkQuarantine(content, bytes, &verdict) }
        } catch let error as StorageError {
            if error.code != .corrupted { verdict.problems.append("misleading error: \(error)") }
            if verdict.outcome != .refused { verdict.problems.append("later: \(error)") }
        }
        if clock.now - start > .seconds(Self.mostSeconds) {
            verdict.problems.append("took \(clock.now - start)")
        }
        return verdict
    }

    /// The partition of the damaged files; `nil` for files of the core, which hold no session.
    private var partition: StoragePartition? {
        StoragePartition.allCases.first { file.hasPrefix("\($0.rawValue)/") }
    }

    private func judge(_ content: Content, _ verdict: inout Verdict) {
        verdict.outcome = .intact
        if content.discardedIncognitoPartitions > 0 { return judgeLostKey(content, &verdict) }
        for partition in StoragePartition.allCases where partition != self.partition {
            let expected = filled.saved.sessions(of: partition)
            if !content.holds(expected, in: partition) {
                verdict.problems.append(
                    "the undamaged \(partition.rawValue) partition is not as it was")
            }
        }
        guard let partition else {
            if !content.losses.isEmpty { verdict.problems.append("a loss without need") }
            return
        }
        let expected = filled.saved.sessions(of: partition)
        verdict.problems += StrayContent(content, filled.saved, partition).problems
        verdict.tabsPerMille = content.tabs(of: expected)
        if content.holds(expected, in: partition) {
            if !content.losses.isEmpty { verdict.outcome = .noticed }
        } else if !content.losses.isEmpty {
            verdict.outcome = .salvaged
            verdict.problems += content.silentDifferences(from: expected)
        } else if allowedPrefixes(partition).contains(where: { content.holds($0, in: partition) }) {
            verdict.outcome = .shortened
        } else {
            verdict.outcome = .salvaged
            verdict.problems.append("something was lost and nothing is reported")
        }
    }

    /// With its key the incognito partition may go, whole and counted; one flipped bit is no reason.
    private func judgeLostKey(_ content: Content, _ verdict: inout Verdict) {
        verdict.outcome = .salvaged
        verdict.tabsPerMille = 0
        let isReason = ["incognito.sealed", "incognito.key"].contains(file)
        if case .flip = damage { verdict.problems.append("a bit cost the incognito partition") }
        if !isReason { verdict.problems.append("the incognito partition was removed without need") }
        if !content.holds(filled.saved.sessions(of: .regular), in: .regular) {
            verdict.problems.append("the regular partition is not as it was")
        }
        if content.discardedIncognitoPartitions != 1 || !content.holds([:], in: .incognito) {
            verdict.problems.append("the incognito partition is not gone as a whole")
        }
    }

    /// Earlier contents that nothing distinguishes from the last one: without an orderly close
    /// nothing notes how far a store came. A damaged end looks like a write that never ended, and a
    /// shorter file like one that was never longer.
    private func allowedPrefixes(_ partition: StoragePartition) -> ArraySlice<
        [SessionID: SessionSnapshot]
    > {
        guard !isClosed, let history = filled.saved.history[partition] else { return [] }
        let last = history.count - 1
        let closed = filled.closedAt[partition] ?? 0
        let first =
            switch damage {
            case .flip: last - 1
            case .zeroSector: last - 2
            case .truncate, .remove: closed
            case .double: last
            // SQLite and LevelDB take a log without a sound record for one never written.
            case .garbage: filled.subject.backend.name == "directory" ? last : closed
            }
        return history[first...]
    }

    /// Saves, opens again: the new tab and everything that was readable before must be there.
    private func goOn(
        _ store: any SessionStorage, _ before: Content, _ place: TemporaryFolder,
        _ verdict: inout Verdict
    ) async throws {
        var changes = SessionChanges()
        changes.put(SessionAttributes(title: "later"), for: Sample.window)
        changes.put(Sample.tab(1), in: Sample.window)
        let key = TabStateKey(tab: Sample.tab(1).id, name: .native, partition: .regular)
        changes.put([1, 2, 3], for: key)
        _ = try await store.save(changes)
        try await store.close()
        let again = try await filled.subject.open(place)
        if try await again.restore(Sample.window)?.tabs != [Sample.tab(1)] {
            verdict.problems.append("a tab saved later is not there")
        }
        if try await again.state(of: key) != [1, 2, 3] {
            verdict.problems.append("a state saved later is not there")
        }
        let after = try await Content.read(again, and: filled.saved)
        for (id, session) in before.sessions where after.sessions[id]?.tabs != session.tabs {
            verdict.problems.append("\(id) differs after the next opening")
        }
        // An index that leads nowhere any more may hide a state until the files are repaired.
        let hidden = before.states.filter { after.states[$0.key] != $0.value }
        if !hidden.isEmpty { _ = try await again.repair() }
        for (key, value) in hidden {
            let found = try? await again.state(of: key)
            if !after.unreadableStates.contains(key) || found != value {
                verdict.problems.append("a state differs after the next opening")
            }
        }
        let isWhole = StoragePartition.allCases.allSatisfy {
            after.includes(filled.saved.sessions(of: $0))
        }
        if !before.losses.isEmpty, after.losses.isEmpty, !isWhole {
            verdict.problems.append("a loss is forgotten at the next opening")
        }
        try await again.close()
    }

    /// A whole store that was set aside must hold the damaged file as it was.
    private func checkQuarantine(
        _ content: Content, _ bytes: [UInt8], _ verdict: inout Verdict
    ) throws {
        for item in content.quarantined {
            guard try FileSystem.exists("\(item)/report.txt") else {
                verdict.problems.append("a quarantined item is not there")
                continue
            }
            guard partition == .regular, try FileSystem.exists("\(item)/regular") else { continue }
            let copy = "\(item)/\(file)"
            guard try FileSystem.exists(copy), try FileSystem.read(copy) == bytes else {
                verdict.problems.append("the quarantine does not hold the damaged bytes")
                continue
            }
        }
        if partition == .incognito, !content.quarantined.isEmpty {
            verdict.problems.append("the incognito partition was quarantined")
        }
    }
}

/// What a store must never give back: values that were never saved.
private struct StrayContent {
    var problems: [String] = []

    init(_ content: Content, _ saved: SavedHistory, _ partition: StoragePartition) {
        for session in content.sessions.values where session.id.partition == partition {
            for tab in session.tabs {
                let versions = saved.tabs[tab.id] ?? []
                let isKnown =
                    session.repairs.isEmpty
                    ? versions.contains(tab)
                    : versions.contains { $0.url == tab.url && $0.title == tab.title }
                if !isKnown { problems.append("a tab that was never saved") }
            }
            let hasAttributes = !session.losses.contains { $0.kind == .attributes }
            if hasAttributes, session.repairs.isEmpty,
                saved.attributes[session.id]?.contains(session.attributes) != true,
                session.attributes != SessionAttributes()
            {
                problems.append("attributes that were never saved")
            }
        }
        for (key, bytes) in content.states where key.partition == partition {
            if saved.states[key]?.contains(bytes) != true {
                problems.append("a state that was never saved")
            }
        }
    }
}

extension Content {
    /// Of 1000 expected tabs, how many came back.
    fileprivate func tabs(of expected: [SessionID: SessionSnapshot]) -> Int {
        let all = expected.values.flatMap { session in session.tabs.map { ($0, session.id) } }
        let found = all.filter { tab, id in
            sessions[id]?.tabs.contains { $0.id == tab.metadata.id } == true
        }
        return all.isEmpty ? 1000 : found.count * 1000 / all.count
    }

    /// Sessions and states that are not as they were and do not say so.
    fileprivate func silentDifferences(from expected: [SessionID: SessionSnapshot]) -> [String] {
        var problems: [String] = []
        for session in expected.values where !unreadable.contains(session.id) {
            guard let restored = sessions[session.id] else {
                problems.append("\(session.id) is said to have never been saved")
                continue
            }
            if !session.equals(restored), restored.provenance == .intact {
                problems.append("\(session.id) differs and is called intact")
            }
            if restored.provenance == .intact, !restored.losses.isEmpty {
                problems.append("\(session.id) has losses and is called intact")
            }
        }
        let blobs = expected.values.flatMap(\.blobs)
        let isMissing = blobs.contains { key, bytes in
            states[key] != bytes && !unreadableStates.contains(key)
        }
        if isMissing, !losses.contains(where: { $0.kind != .attributes }) {
            problems.append("a state is missing and not reported")
        }
        return problems
    }
}
