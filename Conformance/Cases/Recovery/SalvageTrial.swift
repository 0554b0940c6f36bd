import BrowserSessions
import SessionSamples

/// RECOVERY-18: how much of a store comes back when part of it is gone.
///
/// Damage hits a random byte of the store, with equal probability for all: the byte alone, its
/// block, or the second half of its file. A large file therefore counts for more than a small one.
struct SalvageTrial: Sendable {
    /// The extent of the damage.
    enum Extent: String, CaseIterable, Sendable {
        case byte = "one byte", block = "one block", file = "half of a file"

        /// The smallest share of tabs that must come back, over all damages.
        var floor: Double {
            switch self {
            case .byte: 0.95
            case .block: 0.85
            case .file: 0.25
            }
        }
    }

    private static let blockSize = 4096
    private let context: CaseContext
    private let extent: Extent
    private let windows: [SessionSnapshot]
    private let files: LocationFiles

    init(_ context: CaseContext, _ extent: Extent) async throws {
        self.context = context
        self.extent = extent
        var sampler = context.sampler
        windows = sampler.windows(4, tabs: 50, state: .blobs(100...300))
        let location = try await context.makeLocation("sound")
        for window in windows {
            try await context.withStore(at: location) { store in
                for set in window.sets(ofTabs: UsedStore.tabsOfSet) {
                    _ = try await store.save(set, durability: store.traits.greatestDurability)
                }
            }
        }
        files = try LocationFiles(location)
    }

    /// Runs the trial, records the score, and requires the floor.
    func tryIt() async throws {
        let location = try await context.makeLocation("opened after the damage")
        var shares: [(share: Double, weight: Double)] = []
        for damage in damages() {
            context.trying("\(extent.rawValue) of '\(damage.file)'")
            try files.write(to: location, replacing: damage.file, with: damage.bytes)
            shares.append((try await shareThatComesBack(at: location), damage.weight))
        }
        let weights = shares.reduce(0) { $0 + $1.weight }
        guard weights > 0 else { throw NotTried("the store has no bytes") }
        let share = shares.reduce(0) { $0 + $1.share * $1.weight } / weights
        let score = SalvageScore(damage: extent.rawValue, share: share, floor: extent.floor)
        context.score(score)
        try require(
            share >= extent.floor, "of \(shares.count) damages too little came back: \(score.words)"
        )
    }

    private struct Damage {
        var file: String
        var bytes: [UInt8]
        var weight: Double
    }

    private func damages() -> [Damage] {
        let sizes = files.files.map { ($0, files.entries[$0]?.count ?? 0) }.filter { $0.1 > 0 }
        if extent == .file {
            return sizes.map { file, size in
                let half = [UInt8]((files.entries[file] ?? []).prefix(size / 2))
                return Damage(file: file, bytes: half, weight: Double(size))
            }
        }
        var generator = context.generator
        return (0..<context.amount(5, full: 100, long: 400)).compactMap { _ in
            var place = generator.integer(in: 0...sizes.reduce(0) { $0 + $1.1 } - 1)
            for (file, size) in sizes {
                if place < size { return damage(file, at: place) }
                place -= size
            }
            return nil
        }
    }

    private func damage(_ file: String, at place: Int) -> Damage {
        var bytes = files.entries[file] ?? []
        if extent == .byte {
            bytes[place] ^= 0xFF
        } else {
            let start = place / Self.blockSize * Self.blockSize
            for index in start..<min(start + Self.blockSize, bytes.count) { bytes[index] = 0 }
        }
        return Damage(file: file, bytes: bytes, weight: 1)
    }

    /// Returns the share that comes back: 0 without a store that opens or a readable session.
    private func shareThatComesBack(at location: String) async throws -> Double {
        guard let store = try? await context.open(location) else { return 0 }
        var found = 0
        for window in windows {
            let tabs = (try? await store.restore(window.id))??.tabs ?? []
            found += Set(tabs).intersection(window.tabs.map(\.metadata)).count
        }
        try? await store.close()
        return Double(found) / Double(windows.reduce(0) { $0 + $1.tabs.count })
    }
}

extension SessionSnapshot {
    /// Returns sets that save the session, each with a few of its tabs.
    fileprivate func sets(ofTabs count: Int) -> [SessionChanges] {
        stride(from: 0, to: tabs.count, by: count).map { start in
            var changes = SessionChanges()
            changes.put(attributes, for: id)
            if start == 0 { for node in nodes { changes.put(node, in: id) } }
            for tab in tabs[start..<min(start + count, tabs.count)] {
                changes.put(tab.metadata, in: id)
                for (name, bytes) in tab.states.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                    changes.put(bytes, for: TabStateKey(tab: tab.metadata.id, name: name, in: id))
                }
            }
            return changes
        }
    }
}
