import BrowserSessions

extension MediumTrouble {
    /// The errors of an opening or another call during the trouble.
    var codes: [StorageError.Code] {
        switch self {
        case .restarted, .stopped, .outOfConnections: [.unavailable]
        case .readOnly: [.unavailable, .permissionDenied]
        case .outOfSpace: [.outOfSpace]
        case .loginRefused, .rightsRevoked: [.permissionDenied]
        case .keepsLess: [.unsupported]
        case .newerFormat: [.incompatibleFormat]
        }
    }

    /// Whether calls may first find that their connection is gone.
    var endsConnections: Bool {
        switch self {
        case .restarted, .stopped, .readOnly, .loginRefused: true
        case .outOfSpace, .outOfConnections, .rightsRevoked, .keepsLess, .newerFormat: false
        }
    }
}

/// Two stores of a medium in trouble: one that is open, and one to be opened.
struct TroubleCases: Sendable {
    private let context: CaseContext
    private let trouble: MediumTrouble
    private let troubles: MediumTroubles
    private let sets = NumberedSets()
    private let location: String
    private let other: String

    @Sendable static func run(_ trouble: MediumTrouble, _ context: CaseContext) async throws {
        guard let troubles = context.harness.troubles, troubles.kinds.contains(trouble) else {
            throw NotTried("the harness cannot bring its medium into it")
        }
        try await TroubleCases(
            context: context, trouble: trouble, troubles: troubles,
            location: context.makeLocation(), other: context.makeLocation("other")
        ).run()
    }

    private func run() async throws {
        let made = try await context.open(other)
        try await save(1, in: made)
        try await made.close()
        let store = try await context.open(location)
        for number in 1...3 { try await save(number, in: store) }
        try await change("begin", troubles.begin)
        let range: ClosedRange<Int>
        do {
            range = try await meanwhile(store)
        } catch {
            try await change("end", troubles.end)
            throw error
        }
        try await change("end", troubles.end)
        try await afterwards(store, range)
    }

    /// Saves durably: a medium that ends may lose whatever had to survive less.
    private func save(_ number: Int, in store: any SessionStorage) async throws(StorageError) {
        _ = try await store.save(
            sets.changes(number), durability: context.traits.greatestDurability)
    }

    private func change(_ verb: String, _ change: MediumTroubles.Change) async throws {
        do {
            try await change(trouble, location)
        } catch {
            throw HarnessFault("the trouble '\(trouble.rawValue)' does not \(verb): \(error)")
        }
    }

    /// Makes calls that succeed or throw the trouble. Returns the sets; the last one is uncertain.
    private func meanwhile(_ store: any SessionStorage) async throws -> ClosedRange<Int> {
        var (least, most) = (3, 3)
        var refusals = 0
        for number in 4...6 {
            do throws(StorageError) {
                // Never ahead of a set that may not be there.
                guard least == number - 1 else { break }
                try await save(number, in: store)
                (least, most) = (number, number)
            } catch {
                try requireExpected(error, "a save", isConnected: true)
                if error.effect != .notApplied { most = number }
                refusals += 1
            }
        }
        do {
            let title = try await store.restore(NumberedSets.sessions[0])?.attributes.title
            let shown = title.flatMap { Int($0) } ?? 0
            try require((least...most).contains(shown), "\(moment): set \(shown) is shown")
        } catch let error as StorageError {
            try requireExpected(error, "reading", isConnected: true)
        }
        do {
            let opened = try await context.open(other)
            try requireEqual(
                try await sets.lastApplied(in: opened), 1, "\(moment): the set of another store")
            try await opened.close()
        } catch let error as StorageError {
            try requireExpected(error, "opening")
            refusals += 1
        }
        guard refusals > 0 || trouble == .restarted else {
            throw HarnessFault("the trouble '\(trouble.rawValue)' is none: everything was done")
        }
        return least...most
    }

    private var moment: String { trouble.rawValue }

    private func requireExpected(
        _ error: StorageError, _ subject: String, isConnected: Bool = false
    ) throws {
        if isConnected, trouble.endsConnections, error.code == .unavailable { return }
        let wanted = trouble.codes.map { ".\($0.rawValue)" }.joined(separator: " or ")
        try require(
            trouble.codes.contains(error.code),
            "\(moment), \(subject): expected \(wanted), was \(error.full)")
    }

    /// Checks that the open store recovers by itself, and that nothing was lost.
    private func afterwards(_ store: any SessionStorage, _ range: ClosedRange<Int>) async throws {
        let found = try await again("reading") { () async throws(StorageError) in
            let title = try await store.restore(NumberedSets.sessions[0])?.attributes.title
            return title.flatMap { Int($0) } ?? 0
        }
        try require(
            range.contains(found),
            "\(moment), and over: the last set is \(found), and not one of \(range)")
        try await again("a save") { () async throws(StorageError) in
            try await save(found + 1, in: store)
        }
        try await again("closing") { () async throws(StorageError) in try await store.close() }
        for (place, last) in [(location, found + 1), (other, 1)] {
            let opened = try await again("opening") { () async throws(StorageError) in
                try await context.harness.open(StorageConfiguration(location: place))
            }
            do {
                try requireEqual(try await sets.lastApplied(in: opened), last, "the last set")
                try require(try await opened.check().isHealthy, "what is no damage reads as damage")
            } catch { throw Violation("\(moment), and over: \(error)") }
            try await opened.close()
        }
    }

    /// Does what must succeed now, soon if not at once.
    private func again<Success>(
        _ subject: String, _ call: () async throws(StorageError) -> Success
    ) async throws -> Success {
        do {
            return try await context.again(subject, call)
        } catch { throw Violation("\(moment), and over: \(error)") }
    }
}
