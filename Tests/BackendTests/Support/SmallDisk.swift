#if os(Linux)
    import BrowserSessions
    import Foundation
    import Glibc

    /// A file system in memory with little room, mounted for as long as the value lives. Needs the
    /// rights to mount.
    final class SmallDisk: Sendable {
        let folder: TemporaryFolder
        private var path: String { folder.path }
        private var filler: String { folder.file("filler") }

        init(kibibytes: Int) throws {
            folder = TemporaryFolder()
            guard mount("tmpfs", folder.path, "tmpfs", 0, "size=\(kibibytes)k,mode=0700") == 0
            else { throw FileSystem.error("mount", folder.path) }
        }

        deinit { _ = umount2(path, Int32(MNT_DETACH)) }

        /// Whether this process may mount.
        static let isPossible = (try? SmallDisk(kibibytes: 64)) != nil

        /// Takes all room that is left, to the last byte.
        func fill() throws {
            let file = try FileDescriptor(opening: filler, O_WRONLY | O_CREAT | O_APPEND)
            for size in [1 << 16, 1 << 12, 1] {
                let block = [UInt8](repeating: 0xFF, count: size)
                while (try? file.write(block)) != nil {}
            }
        }

        func release() throws { try FileSystem.remove(filler) }

        func setReadOnly(_ isReadOnly: Bool) throws {
            let flags = MS_REMOUNT | (isReadOnly ? MS_RDONLY : 0)
            guard mount("tmpfs", path, "tmpfs", UInt(flags), nil) == 0 else {
                throw FileSystem.error("remount", path)
            }
        }
    }
#endif
