import BrowserSessions
import Foundation
import StorageEngines

#if os(Linux)
    import Glibc
#endif

/// A small file system in memory, mounted for as long as the value lives. Needs Linux and the rights
/// to mount.
public final class SmallDisk: Sendable {
    public let folder = TemporaryFolder()
    public var path: String { folder.path }
    private var filler: String { folder.file("filler") }

    /// - Parameter files: how many files it takes, if not as many as fit.
    public init(kibibytes: Int, files: Int? = nil) throws {
        #if os(Linux)
            guard
                mount(
                    "tmpfs", folder.path, "tmpfs", 0,
                    "size=\(kibibytes)k,mode=0700" + (files.map { ",nr_inodes=\($0)" } ?? "")) == 0
            else { throw StorageError.system("mount", path: folder.path) }
        #else
            throw StorageError(.unsupported, "small disks are mounted on Linux only")
        #endif
    }

    deinit {
        #if os(Linux)
            // waits: each turn takes one mount off, until there is none
            while umount2(path, Int32(MNT_DETACH)) == 0 {}
        #endif
    }

    /// Whether this process may mount.
    public static let isPossible = (try? SmallDisk(kibibytes: 64)) != nil

    /// Takes all space that is left, to the last byte.
    public func fill() throws {
        let file = try PosixFile(opening: filler, flags: O_WRONLY | O_CREAT | O_APPEND)
        for size in [1 << 16, 1 << 12, 1] {
            let block = [UInt8](repeating: 0xFF, count: size)
            // waits: each turn writes, until there is no space
            while (try? file.write(block)) != nil {}
        }
    }

    public func release() throws { try FileSystem.remove(filler) }

    /// Takes the right to write away from everybody, or gives it back. A second mount, for reading,
    /// is put on the first, which refuses to change while a process between its fork and its
    /// program still holds a file that another test writes.
    public func setReadOnly(_ isReadOnly: Bool) throws {
        #if os(Linux)
            let isDone =
                isReadOnly
                ? mount(path, path, nil, UInt(MS_BIND), nil) == 0
                    && mount(nil, path, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0
                : umount2(path, Int32(MNT_DETACH)) == 0
            guard isDone else { throw StorageError.system("remount", path: path) }
        #endif
    }
}
