import Foundation

/// Waits for what a browser writes into its folders. Only the file system reports that.
final class FolderChanges {
    private let folders: [String]
    private let descriptor: Int32

    /// - Parameter folders: those that are there, or will be.
    init(of folders: [String]) {
        self.folders = folders
        #if os(Linux)
            descriptor = inotify_init1(Int32(IN_CLOEXEC))
        #else
            descriptor = -1
        #endif
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns `true` when the condition holds, and `false` when it does not and nothing is written for
    /// 20 s. It is looked at again after each change.
    func wait(until condition: () throws -> Bool) rethrows -> Bool {
        while true {
            // Every change from here on is reported, so that none is missed during the look.
            watch()
            if try condition() { return true }
            guard changed() else { return false }
        }
    }

    private func watch() {
        #if os(Linux)
            let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_MODIFY | IN_DELETE)
            for folder in folders { _ = inotify_add_watch(descriptor, folder, events) }
        #endif
    }

    /// Blocks until something changes; `false` if nothing does.
    private func changed() -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard descriptor >= 0, poll(&wanted, 1, 20_000) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        return read(descriptor, &buffer, buffer.count) > 0
    }
}
