internal import BrowserSessions
internal import StorageEngines

/// What the names in a database's directory show before a file is opened.
struct LevelDBFileNames {
    private static let lastingPrefix = "lasting-"

    private let names: [String]

    init(_ names: [String]) { self.names = names }

    /// Throws if LevelDB would take a file for its own, with a number from which it cannot
    /// continue.
    func requireSound() throws(StorageError) {
        for name in names where !Self.isSound(name) {
            throw LevelDBErrors.corrupted("no database has a file '\(name)'")
        }
    }

    /// Returns whether a name that LevelDB reads as a number and a suffix is one that it writes.
    private static func isSound(_ name: String) -> Bool {
        for suffix in [".log", ".ldb", ".sst"] where name.hasSuffix(suffix) {
            let isNumber = name.dropLast(suffix.count).utf8.allSatisfy { 0x30...0x39 ~= $0 }
            return !isNumber || LevelDBFormat.number(of: name, suffix) != nil
        }
        return true
    }

    func has(_ name: String) -> Bool { names.contains(name) }

    /// Returns the numbers of the logs from `first` on, ascending.
    func logs(from first: StoredNumber) -> [StoredNumber] {
        names.compactMap { LevelDBFormat.number(of: $0, ".log") }.filter { $0 >= first }.sorted()
    }

    var newestLog: String? {
        logs(from: .zero).last.map { LevelDBFormat.fileName($0, ".log") }
    }

    // MARK: Durable names

    /// The newest log with a name that is known to be durable, by a ``lastingName(_:)``.
    var lastingLog: StoredNumber? { lastingNames.compactMap(Self.lastingNumber).max() }

    /// All names that say so for some log.
    var lastingNames: [String] { names.filter { $0.hasPrefix(Self.lastingPrefix) } }

    /// Returns whether a power cut can have taken a log that the manifest names.
    ///
    /// LevelDB writes the name of a new log to its manifest and only then syncs the directory, so a
    /// manifest that reached the disk by itself names a log that did not. Nothing durable was in
    /// that log. It is the newest one, and no ``lastingName(_:)`` says that it or a later one was
    /// durable.
    func mayLack(_ log: StoredNumber) -> Bool {
        logs(from: log).isEmpty && (lastingLog ?? .zero) < log
    }

    private static func lastingNumber(_ name: String) -> StoredNumber? {
        let digits = name.dropFirst(lastingPrefix.count)
        return LevelDBFormat.number(of: "\(digits).log", ".log")
    }

    /// Returns the name of the empty file that exists once the name of a log is durable. LevelDB
    /// ignores it.
    static func lastingName(_ log: StoredNumber) -> String {
        lastingPrefix + LevelDBFormat.digits(log)
    }
}
