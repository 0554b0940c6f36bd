public import BrowserSessions
import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file or directory of the machine's file systems, closed with its last reference.
public final class PosixFile: OpenFile {
    /// The file descriptor.
    public let raw: Int32
    /// The path when it was opened, for messages.
    let path: String
    /// Whether its bytes need not survive a power cut.
    private let isTemporary: Bool

    /// Opens with the flags of `open(2)`; new files get mode 0600.
    ///
    /// - Parameter path: the path of the file.
    /// - Parameter flags: the flags of `open(2)`.
    /// - Parameter followsLink: whether the last part of the path may be a link.
    public init(opening path: String, flags: Int32, followingLink followsLink: Bool = false)
        throws(StorageError)
    {
        raw = PathText.withCString(path) {
            open($0, flags | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW), 0o600)
        }
        self.path = path
        isTemporary = false
        if raw < 0 { throw StorageError.system("open", path: path) }
    }

    /// Opens a name in a directory.
    init(
        opening name: String, in directory: PosixFile, _ flags: Int32, isTemporary: Bool = false
    ) throws(StorageError) {
        self.isTemporary = isTemporary
        path = "\(directory.path)/\(name)"
        raw = PathText.withCString(name) {
            openat(directory.raw, $0, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
        }
        if raw < 0 { throw StorageError.system("open", path: path) }
    }

    deinit { _ = close(raw) }

    public func write(_ bytes: [UInt8]) throws(StorageError) {
        try bytes.withUnsafeBufferPointer { bytes throws(StorageError) in
            try write(UnsafeRawBufferPointer(bytes))
        }
    }

    public func write(_ memory: UnsafeRawBufferPointer) throws(StorageError) {
        var done = 0
        while done < memory.count {
            let rest = memory.baseAddress?.advanced(by: done)
            let count = writeOnce(raw, rest, memory.count - done)
            if count < 0 {
                if platform_errno() == EINTR { continue }
                throw StorageError.system("write", path: path)
            }
            done += count
        }
    }

    /// Above this, memory is allocated only for the file's actual size: a count may come from a
    /// damaged record.
    private static let trustedCount = 64 << 10

    public func read(_ count: Int, at offset: Int) throws(StorageError) -> [UInt8] {
        var count = count
        if count > Self.trustedCount { count = min(count, max(0, try size() - offset)) }
        var failure: StorageError?
        let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
            let memory = UnsafeMutableRawBufferPointer(
                start: buffer.baseAddress, count: max(count, 0))
            do throws(StorageError) {
                filled = try read(into: memory, at: offset)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    public func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int)
        throws(StorageError) -> Int
    {
        var filled = 0
        while filled < memory.count {
            let rest = memory.baseAddress?.advanced(by: filled)
            let step = pread(raw, rest, memory.count - filled, off_t(offset + filled))
            if step < 0, platform_errno() == EINTR { continue }
            if step < 0 { throw StorageError.system("read", path: path) }
            if step == 0 { break }
            filled += step
        }
        return filled
    }

    func status() throws(StorageError) -> stat {
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw StorageError.system("examine", path: path) }
        return status
    }

    public func size() throws(StorageError) -> Int { Int(try status().st_size) }

    /// Moves the position where `write` continues, unless the file was opened for appending.
    public func writtenSize() throws(StorageError) -> Int {
        let size = platform_written_size(raw, nil)
        guard size >= 0 else { throw StorageError.system("examine", path: path) }
        return Int(size)
    }

    /// Moves the same position.
    public func writtenBytes() throws(StorageError) -> Int {
        var bytes: Int64 = 0
        guard platform_written_size(raw, &bytes) >= 0 else {
            throw StorageError.system("examine", path: path)
        }
        return Int(bytes)
    }

    /// Moves the same position.
    public func written(from offset: Int) throws(StorageError) -> Range<Int>? {
        var end: Int64 = 0
        let start = platform_next_written(raw, Int64(offset), &end)
        guard start >= -1 else { throw StorageError.system("examine", path: path) }
        return start < 0 ? nil : Int(start)..<Int(end)
    }

    public func isRemoved() throws(StorageError) -> Bool {
        let names = platform_link_count(raw)
        guard names >= 0 else { throw StorageError.system("examine", path: path) }
        return names == 0
    }

    public func truncate(to size: Int) throws(StorageError) {
        guard ftruncate(raw, off_t(size)) == 0 else {
            throw StorageError.system("truncate", path: path)
        }
    }

    public func syncData() throws(StorageError) {
        if isTemporary { return }
        guard platform_sync_data(raw) == 0 else { throw StorageError.system("sync", path: path) }
    }

    public func beginSync() {
        if !isTemporary { platform_begin_sync(raw) }
    }

    /// Takes the exclusive lock of the file without waiting; returns `false` if it is taken. The
    /// lock is released with the descriptor, at the latest when the process ends.
    public func lock() throws(StorageError) -> Bool {
        try took(platform_lock(raw))
    }

    /// Takes a lock that several can have, in the same way.
    func lockShared() throws(StorageError) -> Bool { try took(platform_lock_shared(raw)) }

    private func took(_ answer: Int32) throws(StorageError) -> Bool {
        if answer == 0 { return true }
        let number = platform_errno()
        if number == EWOULDBLOCK { return false }
        throw StorageError.system("lock", path: path, number: number)
    }

    /// Releases either lock, even where closing would not: a process that is being started has copies
    /// of all descriptors until it runs its own program, and a copy keeps the lock.
    public func unlock() { _ = platform_unlock(raw) }
}

/// Writes with `write(2)`, which a file's own methods hide.
private func writeOnce(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(file, bytes, count)
}

extension StorageError {
    /// Returns the error of a failed system call, by `number` or else by `errno`.
    public static func system(
        _ operation: String, path: String, number given: Int32? = nil
    ) -> StorageError {
        let number = given ?? platform_errno()
        let code: StorageError.Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .outOfSpace
            case EACCES, EPERM, EROFS: .permissionDenied
            case ENOENT: .notFound
            case ELOOP, ENOTDIR, EISDIR: .unsafeLocation
            default: .failed
            }
        let reason = String(cString: strerror(number))
        return StorageError(code, "cannot \(operation) '\(path)': \(reason)", operation: operation)
    }
}
