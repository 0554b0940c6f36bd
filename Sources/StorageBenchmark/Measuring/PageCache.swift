import Foundation

/// The copies of files that the system keeps in memory.
struct PageCache: Sendable {
    /// Writes out what waits to be written and lets go of all files; `false` if the system does not
    /// permit that.
    var drop: @Sendable () -> Bool

    /// That of the whole machine: dropping it slows every program for a while.
    static let system = PageCache { dropSystemCache() }

    /// One that stays as it is.
    static let kept = PageCache { false }

    private static func dropSystemCache() -> Bool {
        #if os(Linux)
            let file = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return false }
            defer { close(file) }
            // Only what is written out already can be let go.
            sync()
            return write(file, "3", 1) == 1
        #else
            return false
        #endif
    }
}
