import Foundation

/// The system's copies of files in memory.
struct PageCache: Sendable {
    /// Writes out pending content and drops all files from the cache. Returns `false` if the system
    /// does not permit that.
    var drop: @Sendable () -> Bool

    /// The cache of the whole machine. Dropping it slows every program for a while.
    static let system = PageCache { dropSystemCache() }

    /// A cache that is never dropped.
    static let kept = PageCache { false }

    private static func dropSystemCache() -> Bool {
        #if os(Linux)
            let file = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return false }
            defer { close(file) }
            // Only content that was already written out can be dropped.
            sync()
            return write(file, "3", 1) == 1
        #else
            return false
        #endif
    }
}
