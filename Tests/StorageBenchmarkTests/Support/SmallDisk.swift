#if os(Linux)
    import BrowserSessions
    import Glibc

    @testable import StorageBenchmark

    /// A file system in memory with little room, mounted for as long as the value lives. Needs the
    /// rights to mount.
    final class SmallDisk {
        private let place: Workplace
        var path: String { place.path }

        init(kibibytes: Int) throws {
            place = try Workplace()
            guard mount("tmpfs", place.path, "tmpfs", 0, "size=\(kibibytes)k,mode=0700") == 0
            else { throw FileSystem.error("mount", place.path) }
        }

        deinit { _ = umount2(path, Int32(MNT_DETACH)) }

        /// Whether this process may mount.
        static let isPossible = (try? SmallDisk(kibibytes: 64)) != nil

        /// Takes the right to write away, from everybody.
        func makeReadOnly() throws {
            guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 else {
                throw FileSystem.error("remount", path)
            }
        }
    }
#endif
