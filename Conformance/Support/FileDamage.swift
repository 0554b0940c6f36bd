import BrowserSessions
import SessionSamples

/// What can happen to a file of a store.
enum FileDamage: String, Sendable, CaseIterable {
    case truncate, flip, zero, remove, double

    /// Damaged versions of a file, at places that the generator chooses; `nil` is no file at all.
    func versions(of bytes: [UInt8], _ generator: inout SeededGenerator) -> [[UInt8]?] {
        guard !bytes.isEmpty else { return self == .remove ? [nil] : [] }
        switch self {
        case .truncate:
            return [bytes.count - 1, generator.integer(in: 0...bytes.count - 1)].map {
                [UInt8](bytes.prefix($0))
            }
        case .flip:
            return (0..<3).map { _ in
                var bytes = bytes
                bytes[generator.integer(in: 0...bytes.count - 1)] ^=
                    1 << UInt8(generator.integer(in: 0...7))
                return bytes
            }
        case .zero:
            return (0..<1).map { _ in
                var bytes = bytes
                let start = generator.integer(in: 0...(bytes.count - 1) / 512) * 512
                for index in start..<min(start + 512, bytes.count) { bytes[index] = 0 }
                return bytes
            }
        case .remove: return [nil]
        case .double: return [bytes + bytes]
        }
    }
}

/// A closed store that was used for two runs, and all that it was ever told.
struct UsedStore: Sendable {
    let location: String
    private(set) var current: [SessionSnapshot] = []
    private(set) var tabs: [TabID: Set<TabMetadata>] = [:]
    private(set) var attributes: [SessionID: Set<SessionAttributes>] = [:]
    private(set) var states: [TabStateKey: Set<[UInt8]>] = [:]

    init(_ context: CaseContext) async throws {
        location = try await context.makeLocation()
        var sampler = context.sampler
        current = [
            sampler.window(tabs: 12, state: .blobs(100...600)),
            sampler.window(tabs: 5, state: .blobs(100...600)),
            sampler.window(tabs: 6, kind: .incognito, state: .blobs(100...600)),
        ]
        // Closing makes all of it durable.
        let durability = context.traits.durability.min() ?? .memory
        for run in 1...2 {
            let store = try await context.open(location)
            for index in current.indices {
                if run == 2 { edit(&current[index]) }
                try await save(current[index], in: store, durability)
            }
            try await store.close()
        }
    }

    private func edit(_ session: inout SessionSnapshot) {
        session.attributes.properties["run"] = "2"
        for index in session.tabs.indices where index.isMultiple(of: 3) {
            session.tabs[index].metadata.title += " later"
            session.tabs[index].states[.native] = [UInt8](repeating: UInt8(index), count: 300)
        }
    }

    /// The tabs of each set: few, so that no set holds much.
    static let tabsOfSet = 3

    private mutating func save(
        _ session: SessionSnapshot, in store: any SessionStorage,
        _ durability: Durability
    ) async throws {
        attributes[session.id, default: []].insert(session.attributes)
        var changes = SessionChanges()
        changes.put(session.attributes, for: session.id)
        for (index, tab) in session.tabs.enumerated() {
            tabs[tab.metadata.id, default: []].insert(tab.metadata)
            changes.put(tab.metadata, in: session.id)
            for (name, bytes) in tab.states {
                let key = TabStateKey(tab: tab.metadata.id, name: name, side: session.id.side)
                states[key, default: []].insert(bytes)
                changes.put(bytes, for: key)
            }
            if (index + 1).isMultiple(of: Self.tabsOfSet) {
                _ = try await store.save(changes, durability: durability)
                changes = SessionChanges()
            }
        }
        _ = try await store.save(changes, durability: durability)
    }

    func sessions(of side: StorageSide) -> [SessionSnapshot] {
        current.filter { $0.id.side == side }
    }
}

/// A used store of which one file was damaged, opened.
struct DamageTrial: Sendable {
    let used: UsedStore
    let context: CaseContext
    let location: String
    /// What was done to which file.
    let what: String
    /// The file, by its path below the location.
    let file: String
    /// A few bytes about where the damage begins and ends, as they are now: any place to which
    /// the damaged record was copied has some of them.
    let traces: [[UInt8]]
    /// The side to which the file belongs, if its path says so.
    let side: StorageSide?
    let store: any SessionStorage

    /// Damages each file of a store in turn. Openings that throw `corrupted` are counted, not
    /// tried any further; other errors break the requirement.
    ///
    /// - Parameter times: how often each file is damaged, every time in another place.
    static func each(
        _ kind: FileDamage, _ context: CaseContext, times: Int = 1,
        _ judge: (DamageTrial) async throws -> Void
    ) async throws {
        let used = try await UsedStore(context)
        var generator = context.generator
        var refused = 0
        let location = try await context.makeLocation()
        let files = try LocationFiles(used.location)
        for file in files.files {
            let bytes = files.entries[file] ?? []
            let versions = (0..<times).flatMap { _ in kind.versions(of: bytes, &generator) }
            for version in versions {
                try files.write(to: location)
                try FileSystem.remove("\(location)/\(file)")
                if let version {
                    try LocationFiles.overwrite("\(location)/\(file)", with: version)
                }
                let what = "'\(file)' after \(kind.rawValue)"
                guard let store = try await open(context, location, what) else {
                    refused += 1
                    continue
                }
                let side = StorageSide.allCases.first { file.contains($0.rawValue) }
                try await judge(
                    DamageTrial(
                        used: used, context: context, location: location, what: what, file: file,
                        traces: traces(of: bytes, in: version ?? []), side: side, store: store))
                try? await store.close()
            }
        }
        if refused > 0 { context.note("\(refused) damaged stores were not opened at all") }
    }

    private static func traces(of bytes: [UInt8], in damaged: [UInt8]) -> [[UInt8]] {
        let differing = zip(bytes, damaged).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
        guard let first = differing.first, let last = differing.last else { return [] }
        // Of one changed byte those around it; of many, those that stand beside them, as a record
        // may have lost all others.
        let starts =
            first == last
            ? Array(first - 7...first)
            : Array(stride(from: first - 24, through: first, by: 4))
                + Array(stride(from: last - 7, through: last + 24, by: 4))
        return starts.compactMap { start in
            guard start >= 0, start + 8 <= damaged.count else { return nil }
            let trace = [UInt8](damaged[start..<start + 8])
            return trace.contains { $0 != 0 } ? trace : nil
        }
    }

    private static func open(_ context: CaseContext, _ location: String, _ what: String)
        async throws -> (any SessionStorage)?
    {
        do {
            return try await context.open(location)
        } catch let error as StorageError {
            guard error.code == .corrupted else {
                throw Violation("\(what): opening threw .\(error.code.rawValue)")
            }
            return nil
        }
    }
}
