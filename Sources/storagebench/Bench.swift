import BrowserSessions
import SessionSamples

/// One store with one big window and a small one, and the operations on it.
final class Bench {
    private let settings: BackendBench
    private let location: String
    private var store: OrderedSessionStorage
    private let floor: Floor
    private var sampler: SessionSampler
    private var window: SessionSnapshot
    private let other: SessionID

    init(_ settings: BackendBench, tabs: Int) throws {
        self.settings = settings
        location = "\(settings.root)/\(settings.backend.name)-\(tabs)"
        floor = try Floor(settings.root)
        sampler = SessionSampler(seed: settings.seed)
        window = sampler.window(tabs: tabs)
        other = sampler.window(tabs: 0).id
        store = try Self.open(settings.backend, location)
        try save(SessionChanges(saving: window))
    }

    private static func open(_ backend: StorageBackend, _ location: String) throws
        -> OrderedSessionStorage
    {
        let store = try backend.openBlocking(StorageConfiguration(location: location))
        guard let store = store as? OrderedSessionStorage else {
            throw StorageError(.unsupported, "this backend has no synchronous face")
        }
        return store
    }

    private func save(_ changes: SessionChanges, _ durability: Durability = .powerLoss) throws {
        _ = try store.saveBlocking(changes, durability: durability)
    }

    func close() throws { try store.closeBlocking() }

    func reopen() throws {
        try close()
        store = try Self.open(settings.backend, location)
    }

    /// The record of a tab as the floor has to write it: its key and its value.
    private func record(of tab: TabMetadata) -> [UInt8] {
        let key = 18 + tab.place.length + 1 + 16
        return tab.encoded() + [UInt8](repeating: 1, count: key + 18)
    }

    private func changedTab() -> TabMetadata {
        let index = Int.random(in: 0..<window.tabs.count, using: &sampler.generator)
        sampler.mutate(&window.tabs[index].metadata)
        return window.tabs[index].metadata
    }

    /// Also says how many bytes a save writes beyond the tab's own record.
    func saveOneTab(_ samples: Int) throws -> (Pairs, bytes: Int) {
        var pairs = Pairs()
        var beyond: [Double] = []
        for _ in 0..<samples {
            let tab = changedTab()
            var changes = SessionChanges()
            changes.put(tab, in: window.id)
            let record = record(of: tab)
            try pairs.measure {
                try save(changes)
            } against: {
                try floor.append(record)
            }
            sampler.mutate(&window.tabs[0].metadata)
            changes = SessionChanges()
            changes.put(window.tabs[0].metadata, in: window.id)
            let before = bytesWritten()
            try save(changes)
            let own = self.record(of: window.tabs[0].metadata).count
            beyond.append(Double(bytesWritten() - before - own))
        }
        return (pairs, Int(Pairs.median(beyond)))
    }

    func saveState(_ samples: Int, _ size: Int) throws -> Pairs {
        var pairs = Pairs()
        for _ in 0..<samples {
            let tab = changedTab()
            let blob = (0..<size).map { _ in UInt8.random(in: 0...255, using: &sampler.generator) }
            var changes = SessionChanges()
            changes.put(tab, in: window.id)
            changes.put(blob, for: TabStateKey(tab: tab.id, name: .native))
            let bytes = record(of: tab) + blob
            try pairs.measure {
                try save(changes)
            } against: {
                try floor.append(bytes)
            }
        }
        return pairs
    }

    func move(_ samples: Int) throws -> Pairs {
        var pairs = Pairs()
        for number in 0..<samples {
            let tab = window.tabs[window.tabs.count / 2].metadata
            var changes = SessionChanges()
            changes.put(tab, in: number.isMultiple(of: 2) ? other : window.id)
            let record = record(of: tab)
            try pairs.measure {
                try save(changes)
            } against: {
                try floor.append(record)
            }
        }
        return pairs
    }

    func saveQuickly(_ samples: Int) throws -> Pairs {
        var pairs = Pairs()
        for _ in 0..<samples {
            let tab = changedTab()
            var changes = SessionChanges()
            changes.put(tab, in: window.id)
            try pairs.measure {
                try save(changes, .processCrash)
            } against: {
            }
        }
        return pairs
    }

    func restore(_ samples: Int) throws -> Pairs {
        let records = window.tabs.map { ($0.metadata, $0.metadata.encoded()) }
        var pairs = Pairs()
        var count = 0
        for _ in 0..<samples {
            try pairs.measure {
                count += try store.restoreBlocking(window.id)?.tabs.count ?? 0
            } against: {
                var tabs: [TabMetadata] = []
                tabs.reserveCapacity(records.count)
                for (tab, bytes) in records {
                    try bytes.withUnsafeBytes {
                        tabs.append(
                            try TabMetadata(id: tab.id, place: tab.place, encoded: $0))
                    }
                }
                count -= tabs.count
            }
        }
        guard abs(count) <= samples else {
            throw StorageError(.corrupted, "a restore did not bring back every tab")
        }
        return pairs
    }

    func realize(_ samples: Int) throws -> Pairs {
        let size = 10 << 10
        try floor.makeFile(of: size)
        var changes = SessionChanges()
        for tab in window.tabs {
            let blob = (0..<size).map { _ in UInt8.random(in: 0...255, using: &sampler.generator) }
            changes.put(blob, for: TabStateKey(tab: tab.metadata.id, name: .navigation))
        }
        try save(changes)
        var pairs = Pairs()
        for _ in 0..<samples {
            let index = Int.random(in: 0..<window.tabs.count, using: &sampler.generator)
            let key = TabStateKey(tab: window.tabs[index].metadata.id, name: .navigation)
            try pairs.measure {
                _ = try store.stateBlocking(of: [key])
            } against: {
                _ = try floor.readFile(of: size)
            }
        }
        return pairs
    }

    func deleteIncognito(_ samples: Int) throws -> Pairs {
        var pairs = Pairs()
        for _ in 0..<samples {
            let session = sampler.window(tabs: 1000, kind: .incognito)
            try save(SessionChanges(saving: session))
            try pairs.measure {
                try store.deleteIncognitoBlocking()
            } against: {
                try floor.append([UInt8](repeating: 1, count: 256))
            }
        }
        return pairs
    }
}
