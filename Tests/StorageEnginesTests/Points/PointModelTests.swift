import Expectations
import SessionSamples
import Synchronization

@testable import BrowserSessions
@testable import StorageEngines

/// Restore points of random histories: each shows exactly what was there, for as long as it is kept,
/// and nothing is left of those that went.
struct PointModelTests {
    /// What sessions there were, with the states of their tabs.
    private struct Content: Equatable {
        var sessions: [RestoredSession] = []
        var states: [TabStateKey: [UInt8]] = [:]

        init(of partition: Partition, at version: SessionVersion) throws {
            let ids: [SessionID]
            switch version {
            case .current: ids = partition.index.sessionIDs
            case .point(let id): ids = try partition.sessions(at: id)
            }
            for id in ids {
                var session = try require(try partition.restore(id, at: version))
                session.provenance = .intact
                sessions.append(session)
                for key in try partition.stateKeys(in: id, at: version) {
                    states[key] = try partition.state(key, at: version)
                }
            }
        }
    }

    private let memory = MemoryByteStore()
    private let time = PointTime()

    private func load() throws -> (Partition, PointClock) {
        let partition = Partition(
            .regular, memory, try PartitionLoader(memory),
            limits: EngineLimits(valueBytes: 1 << 20, batchBytes: 1 << 20, batchOperations: 64))
        return (partition, PointClock(time.environment, after: partition.index.points.last?.record))
    }

    @Test(arguments: 1...12)
    func randomHistories(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var sampler = SessionSampler(seed: seed)
        var windows = sampler.windows(3, tabs: 8, state: .navigationOnly)
        var (partition, clock) = try load()
        var expected: [RestorePointID: Content] = [:]
        for window in windows {
            _ = try partition.save(
                ValidatedChanges(SessionChanges(saving: window), maximumStateBytes: 1 << 20),
                .processCrash)
        }
        for step in 1...150 {
            var edit = sampler.randomEdit(of: windows)
            edit.changes.isIntended = true
            windows = edit.expected
            _ = try partition.save(
                ValidatedChanges(edit.changes, maximumStateBytes: 1 << 20), .processCrash)
            guard generator.chance(1, in: 3) else { continue }
            time.pass(Double(generator.next() % 40))
            switch generator.next() % 5 {
            case 0: (partition, clock) = try load()
            case 1:
                if let point = partition.restorePoints.randomElement(using: &generator) {
                    try partition.releaseRestorePoint(point.id)
                    expect(!partition.restorePoints.contains { $0.id == point.id })
                }
            case 2:
                let point = try partition.takeRestorePoint(
                    named: "state \(step)", pinned: step.isMultiple(of: 2), by: clock)
                expected[point.id] = try Content(of: partition, at: .current)
            default:
                try partition.takeRestorePoint(for: .interval, by: clock)
                if let newest = partition.restorePoints.first,
                    newest.id.rawValue == partition.index.sequence.value
                {
                    expected[newest.id] = try Content(of: partition, at: .current)
                }
            }
            try requireModel(expected, in: partition, "seed \(seed), step \(step)")
        }
        try partition.drop(Set(partition.index.points.map(\.number)))
        try requireOnlyPresentBlobs(of: partition)
    }

    private func requireModel(
        _ expected: [RestorePointID: Content], in partition: Partition, _ step: String
    ) throws {
        for point in partition.restorePoints {
            let isSame = try Content(of: partition, at: .point(point.id)) == expected[point.id]
            expect(isSame, "\(step), \(point)")
        }
        let findings = try partition.findings()
        expect(findings.incompletePoints.isEmpty && findings.lostVersions.isEmpty, "\(step)")
        expect(findings.damagedVersions.isEmpty && findings.lostStates.isEmpty, "\(step)")
    }

    /// Without points there are no versions, and no blob but those of the present state.
    private func requireOnlyPresentBlobs(of partition: Partition) throws {
        let keys = memory.bytes.withLock { Set($0[.state, default: .init()].keys) }
        let blobs = partition.index.states.map { slot, state in
            StateKey.blob(
                slot.tab, partition.index.stateNames[slot.name], set: state.stamp.sequence
            ).bytes
        }
        expect(keys, is: Set(blobs))
    }

    @Test("Points of the last day, of days and of weeks stay, in any order of openings")
    func retention() throws {
        var points: [PointRetention.Candidate] = []
        for number in 1...3000 {
            // A busy hour each day, and else a point each three hours.
            let step: Int64 = (number % 40) < 20 ? 3 * 60 : 3 * 3600
            for place in points.indices { points[place].age += step }
            points.append(try candidate(number))
            let expired = PointRetention.expired(of: points)
            points.removeAll { expired.contains($0.number) }
            expect(points.count <= 10 + 7 + 4 + 1)
            expect(points.last?.age, is: 0)
        }
        let days = points.map { Double($0.age) / (24 * 3600) }
        expect((days.first ?? 0) > 20 && days.count { $0 < 1 } >= 8, "\(days)")
        for (older, younger) in zip(days, days.dropFirst()) {
            expect(older - younger < (older < 7 ? 1.5 : 8.5), "\(days)")
        }
    }

    /// - Parameter name: empty for a point that was not asked for.
    private func candidate(_ number: Int, name: String = "", isPinned: Bool = false) throws
        -> PointRetention.Candidate
    {
        let point = RestorePoint(
            id: RestorePointID(rawValue: UInt64(number)), takenAt: .unknown,
            reason: name.isEmpty ? .interval : .named, name: name, isPinned: isPinned)
        return .init(number: try require(StoredNumber(number)), age: 0, point: point)
    }

    @Test("Of the points before plans the newest ten stay for 30 days, others with names for good")
    func beforeRestoring() throws {
        let day: Int64 = 24 * 3600
        var points: [PointRetention.Candidate] = []
        for number in 1...25 {
            for place in points.indices { points[place].age += day }
            points.append(try candidate(number, name: "before restoring"))
        }
        let numbers = try (16...25).map { try require(StoredNumber($0)) }
        expect(PointRetention.withTerm(points), is: Set(numbers))
        // One of that name that is pinned stays, and so does one of any other name.
        points = [
            try candidate(1, name: "before restoring"),
            try candidate(2, name: "before restoring", isPinned: true),
            try candidate(3, name: "Before restoring"), try candidate(4),
        ]
        for place in 0..<3 { points[place].age = 30 * day - 1 }
        expect(PointRetention.expired(of: points), is: [])
        for place in 0..<3 { points[place].age = 30 * day }
        expect(PointRetention.expired(of: points), is: [])
        points += try (5...14).map { try candidate($0) }
        expect(PointRetention.expired(of: points).contains(points[0].number))
    }

    @Test("No clock that jumps between openings takes points away, however often it does")
    func jumps() throws {
        var (partition, clock) = try load()
        for number in 1...9 {
            if number > 6 {
                time.set(Int64(number) * 100_000_000_000_000)
                (partition, clock) = try load()
            }
            time.pass(1)
            let window = SessionSnapshot(
                id: SessionID(window: WindowID(high: 1, low: UInt64(number))))
            _ = try partition.save(
                ValidatedChanges(SessionChanges(saving: window), maximumStateBytes: 1 << 20),
                .processCrash)
            try partition.takeRestorePoint(for: .opening, by: clock)
            expect(partition.restorePoints.count, is: number)
        }
    }
}
