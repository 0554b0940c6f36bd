internal import BrowserSessions
internal import StorageEngines

/// Copies the files of a database while another opener has them.
///
/// The logs come first: what they hold later is in tables of a later manifest, or in a later log, which
/// stays out. Any prefix of them is a state that was saved. Then comes the manifest, which can only be
/// newer, and then the tables that it names. A table that is gone belongs to an older state, so the
/// manifest is read again; what was copied stays, since no table ever changes.
///
/// LevelDB passes over a log that is absent, so the order matters: a log that vanished before it was
/// copied must be older than those the manifest still needs. `LOCK` is never opened: closing it would
/// drop LevelDB's lock in its own process.
struct LevelDBLiveCopy {
    private let source: any FileDirectory
    private let target: any FileDirectory
    private let copy: LiveStoreCopy

    private static let current = "CURRENT"
    /// A compaction replaces tables, and each takes longer than copying a few.
    private static let mostManifests = 100

    init(of directory: any FileDirectory, to copy: LiveStoreCopy) throws(StorageError) {
        let name = LevelDBFormat.directoryName
        source = try directory.directory(name)
        try copy.directory.makeDirectory(name)
        target = try copy.directory.directory(name)
        self.copy = copy
    }

    func run() throws(StorageError) {
        let vanished = try copyLogs()
        for _ in 0..<Self.mostManifests {
            guard let manifest = try copyManifest() else { continue }
            guard vanished.allSatisfy({ $0 < manifest.firstLog }) else {
                throw LiveStoreCopy.changed("a log vanished that is still needed")
            }
            if try copyTables(of: manifest) { return }
        }
        throw LiveStoreCopy.changed("the tables changed again and again")
    }

    /// Copies all logs, also under the second names that they have while LevelDB opens them. Returns the
    /// numbers of those that vanished.
    private func copyLogs() throws(StorageError) -> [StoredNumber] {
        var vanished: [StoredNumber] = []
        for name in try source.names() {
            let isKept = name.hasSuffix(LevelDBKeptLogs.suffix)
            let log = isKept ? String(name.dropLast(LevelDBKeptLogs.suffix.count)) : name
            guard let number = LevelDBFormat.number(of: log, ".log") else { continue }
            if try !takes(name), !isKept { vanished.append(number) }
        }
        return vanished
    }

    /// Copies the manifest that is current; returns `nil` if another one took its place.
    private func copyManifest() throws(StorageError) -> LevelDBManifest? {
        for name in try target.names()
        where name == Self.current || name.hasPrefix(LevelDBManifest.prefix) {
            try target.removeEntry(name)
        }
        try copy.copy(Self.current, from: source, to: target)
        let text = String(decoding: try target.read(Self.current), as: UTF8.self)
        let name = String(text.prefix { $0 != "\n" })
        guard name.hasPrefix(LevelDBManifest.prefix), !name.contains("/") else {
            throw LevelDBErrors.corrupted("CURRENT names no manifest")
        }
        guard try takes(name) else { return nil }
        return try LevelDBManifest(of: target)
    }

    /// Returns `false` if a table is gone.
    private func copyTables(of manifest: LevelDBManifest) throws(StorageError) -> Bool {
        for table in manifest.tables.values.sorted(by: { $0.number < $1.number })
        where try !target.has(table.name) {
            guard try takes(table.name) else { return false }
        }
        return true
    }

    /// Copies a file; returns `false` if it is gone.
    private func takes(_ name: String) throws(StorageError) -> Bool {
        do throws(StorageError) {
            try copy.copy(name, from: source, to: target)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            try target.removeEntry(name)
            return false
        }
    }
}
