import BrowserSessions
import StorageEngines

/// Copies the files of a store that another opener has.
///
/// Nothing is changed in place, so only three things can happen meanwhile:
/// - Bytes are appended to the newest log. The copy of it ends with what was there when copying it
///   began; the replay leaves a record out that is not whole.
/// - New files get names. Those are left out: everything that was durable before the files were listed
///   is in the files that were listed.
/// - A snapshot makes older files unneeded, which are then removed. What it leads to needs none of them,
///   alone or with the logs after it. So the list is sound if no snapshot came while it was made, and a
///   copy is sound if no file of the list vanished before it was copied.
///
/// A write that failed is cut off again, and the copy may hold a part of it before bytes that were
/// written later. The replay finds that, as a damaged log, and another copy is made.
struct DirectoryLiveCopy {
    private let source: any FileDirectory

    init(_ source: any FileDirectory) { self.source = source }

    func run(to copy: LiveStoreCopy) throws(StorageError) {
        let names = try source.names()
        let snapshot = Self.numbers(.snapshot, in: names).max()
        guard try Self.numbers(.snapshot, in: source.names()).max() == snapshot else {
            throw LiveStoreCopy.changed("a snapshot was written")
        }
        // Those that may be removed come first.
        for log in Self.numbers(.log, in: names).sorted() {
            try copy.copy(Replay.name(log, .log), from: source)
        }
        if let snapshot { try copy.copy(Replay.name(snapshot, .snapshot), from: source) }
    }

    /// Returns the numbers of the finished files of a kind.
    private static func numbers(_ wanted: Replay.Kind, in names: [String]) -> [Int] {
        names.compactMap { name in
            guard let (number, kind) = Replay.number(of: name), kind == wanted,
                name == Replay.name(number, kind)
            else { return nil }
            return number
        }
    }
}
