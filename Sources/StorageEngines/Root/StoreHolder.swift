import BrowserSessions

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file `lock`, which says who has a store open: the process, a token of this opening, a path by which other
/// processes see the directory that it holds, and the number of that directory.
///
/// The lock itself is that of the directory, and keeps out others on the same file system. Between a file system in
/// user space and the folder below it, between two mounts of one folder, and between computers it keeps no other out.
/// There the file does: an opener puts its own in the place of the last one's, unless the process of that one holds
/// the same directory; and a process that finds the file of another has lost the store.
struct StoreHolder {
    static let name = "lock"
    static let draft = name + ".new"

    private let directory: any FileDirectory
    private let text: String
    /// Held open, so that its number is not given to another file.
    private var file: (any OpenFile)?
    private var stamp: FileStamp?
    private(set) var isReplaced = false
    /// Whether the last opener had this directory, and not another one that it was copied from.
    let wasHere: Bool

    static var process: String { "process \(getpid())" }

    /// Puts the file in its place. Without space there is none: the store can be read then.
    ///
    /// Throws `StorageError.Code.locked`, and changes nothing, if a process holds the directory in a way that its lock
    /// does not show here.
    init(of directory: any FileDirectory, token: UInt64) throws(StorageError) {
        self.directory = directory
        let path = directory.pathForLibraries.replacing("/self/", with: "/\(getpid())/")
        let number = "\((try? directory.stamp(of: ".", timed: true))?.file ?? 0)"
        text = "\(Self.process)\n\(String(token, radix: 36))\n\(path)\n\(number)\n"
        let last = Self.text(in: directory)
        wasHere = last?.split(separator: "\n").last.map(String.init) == number
        do throws(StorageError) {
            try write(unlessSeenBy: last)
        } catch {
            try? directory.removeEntry(Self.draft)
            stamp = try? directory.stamp(of: Self.name, timed: true)
        }
        if isReplaced { throw Self.locked(directory) }
    }

    private mutating func write(unlessSeenBy other: String?) throws(StorageError) {
        try directory.removeEntry(Self.draft)
        try directory.open(Self.draft, mode: .new).write([UInt8](text.utf8))
        isReplaced = other.map(isDraftSeen) ?? false
        if isReplaced { return try directory.removeEntry(Self.draft) }
        try directory.rename(Self.draft, to: Self.name)
        file = try directory.open(Self.name, mode: .read)
        stamp = try directory.stamp(of: Self.name, timed: true)
    }

    /// Returns whether the process that wrote a text has the lock of a directory, and sees our draft in it.
    private func isDraftSeen(by other: String) -> Bool {
        // A number that this opening has now means nothing.
        let lines = other.split(separator: "\n")
        guard lines.count == 4, lines[2] != text.split(separator: "\n")[2],
            case let place = lines[2].split(separator: "/"), place.count == 4,
            let process = UInt32(place[1]), let number = UInt32(place[3]),
            lines[0] == "process \(process)", lines[2] == "/proc/\(process)/fd/\(number)",
            let info = Self.text(
                try? PosixFile(opening: "/proc/\(process)/fdinfo/\(number)", flags: O_RDONLY)),
            info.contains("FLOCK") && info.contains("WRITE")
        else { return false }
        let path = "\(lines[2])/\(Self.draft)"
        return Self.text(try? PosixFile(opening: path, flags: O_RDONLY)) == text
    }

    /// Throws `StorageError.Code.fenced` once another opener's file is in the place of this one's. A file that is gone
    /// or says nothing is put there again; one that cannot be read may be another's.
    mutating func confirm() throws(StorageError) {
        try requireNotReplaced()
        let now: FileStamp?
        do throws(StorageError) {
            now = try directory.stamp(of: Self.name, timed: true)
        } catch { return }  // A check that fails says nothing.
        if now == stamp { return }
        let found = now == nil ? "" : Self.text(in: directory)
        isReplaced = found != text && found?.hasPrefix("process ") != false
        try requireNotReplaced()
        try? write(unlessSeenBy: nil)
    }

    func requireNotReplaced() throws(StorageError) {
        guard isReplaced else { return }
        throw StorageError(
            .fenced,
            """
            '\(directory.path(of: Self.name))' is not ours any more: another process has opened the store by another \
            path or from another computer, or a backup was copied over it; nothing is saved here from now on: close \
            the store
            """, effect: .indeterminate)
    }

    /// Returns the error for a directory that another opener has.
    static func locked(_ directory: any FileDirectory) -> StorageError {
        let holder = text(in: directory)?.split(separator: "\n").first ?? "another process"
        return StorageError(
            .locked, "the store is in use by \(holder); close it there or try again later")
    }

    private static func text(in directory: any FileDirectory) -> String? {
        text(try? directory.open(name, mode: .read))
    }

    private static func text(_ file: (any OpenFile)?) -> String? {
        (try? file?.read(500, at: 0)).map { String(decoding: $0, as: UTF8.self) }
    }
}
