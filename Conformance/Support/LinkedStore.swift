import BrowserSessions
import SessionSamples

/// A location for numbered sets that is reached over a link, and what is known about it.
struct LinkedStore: Sendable {
    let context: CaseContext
    let link: MediumLink
    let location: String
    let sets = NumberedSets()

    /// - Parameter timeout: how long its stores wait for their medium.
    init(_ context: CaseContext, timeout: Duration) async throws {
        guard let makeLink = context.harness.makeLink else {
            throw HarnessFault("the harness has no link")
        }
        do {
            let link = try await makeLink(timeout)
            self.init(context, link, at: try await context.makeLocation())
        } catch {
            throw HarnessFault("no link can be made: \(error)")
        }
    }

    private init(_ context: CaseContext, _ link: MediumLink, at location: String) {
        (self.context, self.link, self.location) = (context, link, location)
    }

    /// Makes another one over the same link.
    func another() async throws -> LinkedStore {
        LinkedStore(context, link, at: try await context.makeLocation())
    }

    var wire: any MediumWire { link.wire }

    func open() async throws(StorageError) -> any SessionStorage {
        try await link.open(StorageConfiguration(location: location))
    }

    /// Opens the store after its owner was lost; takes it over if the medium does not know of the
    /// loss.
    func openFreed() async throws -> any SessionStorage {
        try await context.again("opening a store after its connection was lost") {
            () async throws(StorageError) in
            do throws(StorageError) {
                return try await open()
            } catch {
                guard error.code == .locked, let takeOver = context.harness.takeOver else {
                    throw error
                }
                do { try await takeOver(location) } catch {
                    throw StorageError(.failed, "\(error)")
                }
                return try await open()
            }
        }
    }

    /// Saves a set with the lowest durability that outlives the process.
    func save(_ number: Int, in store: any SessionStorage) async throws(StorageError)
        -> SaveReceipt
    {
        try await store.save(
            sets.changes(number), durability: context.lastingLevels.first ?? .memory)
    }

    /// Returns the number of the last set according to one session; 0 if the session is not there.
    func shown(by store: any SessionStorage) async throws(StorageError) -> Int {
        let session = try await store.restore(NumberedSets.sessions[0])
        return session.map { Int($0.attributes.title) ?? -1 } ?? 0
    }

    /// Returns the last set, which must be there entirely and intact.
    func requireSets(_ range: ClosedRange<Int>, in store: any SessionStorage, _ moment: String)
        async throws -> Int
    {
        let found = try await requireSuccess(moment) {
            let found = try await sets.lastApplied(in: store)
            let report = try await store.check()
            try require(report.isHealthy, "what is no damage reads as damage: \(report.losses)")
            return found
        }
        try require(
            found >= range.lowerBound,
            "\(moment): set \(range.lowerBound) was acknowledged, and \(found) is there")
        try require(
            found <= range.upperBound,
            "\(moment): set \(found) was refused or never made, and is there")
        return found
    }

    /// Opens the store, finds one of the sets, saves the next, and finds that at another opening.
    func judge(_ range: ClosedRange<Int>, _ moment: String) async throws {
        let store = try await openFreed()
        let found = try await requireSets(range, in: store, moment)
        let receipt = try await context.again("a save \(moment)") { () async throws(StorageError) in
            try await save(found + 1, in: store)
        }
        try requireEqual(receipt.sequence, UInt64(found + 1), "the number of the set \(moment)")
        try await store.close()
        let next = try await openFreed()
        _ = try await requireSets(found + 1...found + 1, in: next, "\(moment), after another save")
        try await next.close()
    }

    /// Returns the traffic in one direction over the wire during the work.
    func traffic(_ way: WireWay, _ work: () async throws -> Void) async rethrows -> Int {
        let before = wire.traffic[way]
        try await work()
        return wire.traffic[way] - before
    }

    /// Cuts a connection at an offset during the work, and never later. Returns whether it was cut.
    func cutting(_ way: WireWay, after count: Int, _ work: () async throws -> Void) async throws
        -> Bool
    {
        let before = wire.traffic.cuts
        wire.cut(way, after: count)
        defer { wire.cutNothing() }
        try await work()
        return wire.traffic.cuts > before
    }
}

extension CaseContext {
    /// Does what must succeed soon, if not at once, after the medium can be reached again.
    func again<Success>(_ subject: String, _ call: () async throws(StorageError) -> Success)
        async throws -> Success
    {
        var last: StorageError?
        for _ in 1...10 {
            do throws(StorageError) {
                return try await call()
            } catch {
                last = error
                guard error.code == .unavailable else { break }
            }
        }
        throw Violation("\(subject) threw: \(last.map(\.full) ?? "")")
    }

    /// Returns offsets for cuts in that many bytes: all of a few, or some at even distances.
    func places(upTo length: Int, _ most: Int) -> [Int] {
        guard length > max(most, 100) else { return Array(0...length) }
        var generator = generator
        let step = Double(length) / Double(most)
        let middle = (1..<most).map { number in
            Int(Double(number) * step) + generator.integer(in: 0...max(0, Int(step) - 1))
        }
        return [0, 1] + middle + [length]
    }
}

extension StorageError {
    /// Throws unless the error says that the medium could not be reached.
    func requireUnavailable(from subject: String) throws {
        try require(code == .unavailable, "\(subject): expected .unavailable, was \(full)")
    }
}
