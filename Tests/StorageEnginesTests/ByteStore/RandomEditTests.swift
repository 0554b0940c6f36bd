import Expectations
import SessionSamples

@testable import BrowserSessions
@testable import StorageEngines

/// Long random histories of a partition. What stores answer is compared by MODEL.
struct RandomEditTests {
    @Test("What is known in memory equals what a fresh load finds", arguments: 11...16)
    func index(seed: UInt64) throws {
        let memory = MemoryByteStore()
        let time = PointTime()
        var partition = Partition(
            .regular, memory, try PartitionLoader(memory))
        var sampler = SessionSampler(seed: seed)
        var generator = SeededGenerator(seed: seed)
        var windows = sampler.windows(3, tabs: 8, state: .navigationOnly)
        for window in windows {
            let changes = SessionChanges(saving: window)
            _ = try partition.save(
                ValidatedChanges(changes, maximumStateBytes: 1 << 20), .powerLoss)
        }
        for step in 1...200 {
            var edit = sampler.randomEdit(of: windows)
            if generator.chance(1, in: 2) {
                edit.changes.commitID = .random(using: &generator)
            }
            let changes = try ValidatedChanges(edit.changes, maximumStateBytes: 1 << 20)
            _ = try partition.save(changes, .processCrash)
            windows = edit.expected
            let loader = try PartitionLoader(memory)
            expect(loader.newLosses, is: [])
            expect(IndexPicture(partition.index), is: IndexPicture(loader.index), "step \(step)")
            if generator.chance(1, in: 20) {
                partition = Partition(.regular, memory, loader)
                time.pass(7)
                try partition.takeRestorePoint(
                    for: .opening,
                    by: PointClock(time.environment, after: partition.index.points.last?.record))
            }
        }
    }
}

/// All that an index knows, in a form that can be compared.
struct IndexPicture: Equatable {
    var sequence: UInt64
    var records: UInt64
    var fingerprint: UInt64
    var losses: RecordStamp?
    var sessions: [SessionID: [UInt64]]
    var tabs: [TabID: String]
    var states: [TabStateKey: [UInt64]]
    var commits: [CommitID]
    var points: [PointRecord]

    init(_ index: PartitionIndex) {
        sequence = index.sequence.value
        records = index.manifest.records
        fingerprint = index.manifest.fingerprint
        losses = index.lossesStamp
        sessions = [:]
        for session in index.sessions where session.exists {
            sessions[session.id] = [
                session.attributes?.fingerprint ?? 0, UInt64(session.tabCount),
                UInt64(session.byteCount),
            ]
        }
        tabs = [:]
        for (id, tab) in index.tabs {
            let session = index.session(of: id)?.description ?? ""
            tabs[id] = "\(session) \(tab.stamp) \(tab.lastActiveAt) \(tab.byteCount)"
        }
        states = [:]
        for (slot, state) in index.states {
            let key = TabStateKey(
                tab: slot.tab, name: index.stateNames[slot.name], partition: .regular)
            states[key] = [UInt64(state.checksum), UInt64(state.length), state.stamp.fingerprint]
        }
        commits = index.commits.map(\.id)
        points = index.points.map(\.record)
    }
}
