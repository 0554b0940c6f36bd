import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An open file, closed when it goes out of scope.
public struct FileDescriptor: ~Copyable, Sendable {
    /// The number that system calls take.
    public let raw: Int32
    private let path: String

    /// Opens with the flags of `open(2)`; new files get mode 0600.
    ///
    /// - Parameter followsLink: whether the last part of the path may be a link.
    public init(opening path: String, _ flags: Int32, followingLink followsLink: Bool = false)
        throws(StorageError)
    {
        raw = open(path, flags | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW), 0o600)
        self.path = path
        if raw < 0 { throw FileSystem.error("open", path) }
    }

    /// Opens a name in a directory, which had the path `parent`.
    init(
        opening name: String, in directory: borrowing FileDescriptor, of parent: String,
        _ flags: Int32
    ) throws(StorageError) {
        path = "\(parent)/\(name)"
        raw = openat(directory.raw, name, flags | O_CLOEXEC, 0o600)
        if raw < 0 { throw FileSystem.error("open", path) }
    }

    deinit { _ = close(raw) }

    /// Writes all bytes at the file's position; a file opened with `O_APPEND` grows.
    public borrowing func write(_ bytes: [UInt8]) throws(StorageError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                #if canImport(Darwin)
                    Darwin.write(raw, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                #elseif canImport(Musl)
                    Musl.write(raw, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                #else
                    Glibc.write(raw, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                #endif
            }
            if count < 0 {
                if platform_errno() == EINTR { continue }
                throw FileSystem.error("write", path)
            }
            done += count
        }
    }

    /// Above this, room is made only for what the file has: a count may come from a damaged record.
    private static let trustedCount = 64 << 10

    /// Reads up to `count` bytes from `offset`; fewer at the end of the file.
    public borrowing func read(_ count: Int, at offset: Int) throws(StorageError) -> [UInt8] {
        var count = count
        if count > Self.trustedCount { count = min(count, max(0, try size() - offset)) }
        var failure: StorageError?
        let bytes = [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
            while filled < count {
                let rest = buffer.baseAddress?.advanced(by: filled)
                let step = pread(raw, rest, count - filled, off_t(offset + filled))
                if step < 0, platform_errno() == EINTR { continue }
                if step < 0 { failure = FileSystem.error("read", path) }
                if step <= 0 { return }
                filled += step
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// The size of the file in bytes.
    public borrowing func size() throws(StorageError) -> Int {
        var raw = stat()
        guard fstat(self.raw, &raw) == 0 else { throw FileSystem.error("examine", path) }
        return Int(raw.st_size)
    }

    /// The size of the file without a hole at its end. Moves the place where ``write(_:)`` goes on.
    borrowing func writtenSize() throws(StorageError) -> Int {
        let size = platform_written_size(raw)
        guard size >= 0 else { throw FileSystem.error("examine", path) }
        return Int(size)
    }

    /// Whether the file has no name any more.
    borrowing func isRemoved() throws(StorageError) -> Bool {
        var raw = stat()
        guard fstat(self.raw, &raw) == 0 else { throw FileSystem.error("examine", path) }
        return raw.st_nlink == 0
    }

    /// Cuts the file, or lets it grow with zeros.
    public borrowing func truncate(to size: Int) throws(StorageError) {
        guard ftruncate(raw, off_t(size)) == 0 else { throw FileSystem.error("truncate", path) }
    }

    /// Makes the file's bytes survive a power cut.
    public borrowing func syncData() throws(StorageError) {
        guard platform_sync_data(raw) == 0 else { throw FileSystem.error("sync", path) }
    }

    /// Takes the exclusive lock of the file without waiting; `false` if somebody else has it. It
    /// is released with the descriptor, at the latest when the process ends.
    public borrowing func lock() throws(StorageError) -> Bool {
        if platform_lock(raw) == 0 { return true }
        let number = platform_errno()
        if number == EWOULDBLOCK { return false }
        throw FileSystem.error("lock", path, number: number)
    }

    /// Releases the lock, also where closing alone would not: a process that is being started has
    /// copies of all descriptors until it runs its own program, and a copy keeps the lock.
    public borrowing func unlock() { _ = platform_unlock(raw) }
}
