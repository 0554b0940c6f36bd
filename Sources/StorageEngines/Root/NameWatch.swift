public import BrowserSessions
import CPlatform

/// Notices when a name of an engine's file leads to another file: a backup, a program that keeps folders alike, or an
/// editor has put one in its place. What is written then goes to a file that no opening will see.
///
/// A check costs one system call while no name in the directory has changed.
public struct NameWatch {
    private let directory: any FileDirectory
    /// The directory and the name in it that lead here; `.` in the directory itself if somebody else checks that.
    private let place: (directory: any FileDirectory, name: String)
    private var known: [String: UInt64] = [:]
    /// The directory at the last look; `nil` while a later change could leave the same stamp.
    private var last: FileStamp?
    private let own: FileStamp?
    /// What was found: it stays, since names that are looked at again look right.
    private var finding: StorageError?

    /// Begins to watch the names in a directory.
    ///
    /// - Parameter directory: a directory that holds only the engine's files.
    /// - Parameter place: the directory around it and its name there, if that name is to be watched, too.
    public init(
        _ directory: any FileDirectory, at place: (any FileDirectory, String)? = nil
    ) {
        self.directory = directory
        self.place = place ?? (directory, ".")
        own = try? directory.stamp(of: ".", timed: true)
        look()
    }

    /// Takes the names as they are now for right: the engine itself has exchanged files.
    public mutating func look() {
        let stamp = try? directory.stamp(of: ".", timed: true)
        guard let names = try? directory.names() else { return }
        known = [:]
        for name in names { known[name] = try? directory.stamp(of: name, timed: false)?.file }
        last = stamp.flatMap { $0.isSettled ? $0 : nil }
    }

    /// Notes that the engine itself has removed a file.
    public mutating func forget(_ name: String) { known[name] = nil }

    /// Returns the error for a name that leads to another file than before, or that must be there and is gone; `nil`
    /// if there is none. A check that fails says nothing. Once there is one, it is returned each time.
    ///
    /// - Parameter names: Returns the names that must be there, of those that were.
    public mutating func change(requiring names: ([String]) -> [String]) -> StorageError? {
        finding = finding ?? find(requiring: names)
        return finding
    }

    private mutating func find(requiring names: ([String]) -> [String]) -> StorageError? {
        let stamp: FileStamp?
        do throws(StorageError) {
            stamp = try place.directory.stamp(of: place.name, timed: true)
        } catch { return nil }
        guard let stamp, own.map(stamp.isOfFile) ?? true else {
            return .removed(directory.path)
        }
        if stamp == last { return nil }
        let before = known
        look()
        for (name, number) in before where known[name].map({ $0 != number }) ?? false {
            return .replaced(directory.path(of: name))
        }
        let gone = names(Array(before.keys)).first { known[$0] == nil }
        return gone.map { .removed(directory.path(of: $0)) }
    }
}

extension FileStamp {
    /// Whether any later change of the directory has another time: see ``changed``.
    fileprivate var isSettled: Bool {
        // File systems without nanoseconds have seconds, or two.
        changed + (changed % 1_000_000 == 0 ? 2_500_000_000 : 0) < Int(platform_file_time())
    }
}
