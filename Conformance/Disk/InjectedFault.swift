import CDisk
import Foundation

/// A fault to inject into a process at one of its calls on watched files.
struct InjectedFault: Codable, Hashable, Sendable {
    enum Effect: Codable, Hashable, Sendable {
        case killBefore
        /// A kill after half of a write, or after any other call.
        case killWithin
        case fail(Int32)
        /// A write of only half the bytes.
        case shorten
        /// The kernel cuts off the file system, and the process ends.
        case cutOff
        /// A sync that reports success but has lost what it should have written.
        case lie
    }

    /// Kinds of calls.
    struct Calls: OptionSet, Codable, Hashable, Sendable {
        let rawValue: UInt32

        private init(_ operations: disk_operation...) {
            self.init(rawValue: operations.reduce(0) { $0 | 1 << $1.rawValue })
        }

        init(rawValue: UInt32) { self.rawValue = rawValue }

        static let writes = Calls(DISK_WRITE)
        static let lengths = Calls(DISK_TRUNCATE)
        static let names = Calls(
            DISK_CREATE, DISK_RENAME, DISK_LINK, DISK_UNLINK, DISK_MAKE_DIRECTORY,
            DISK_REMOVE_DIRECTORY)
        static let syncs = Calls(DISK_SYNC, DISK_SYNC_DIRECTORY)
        /// Calls of open, stat, and readdir on existing files.
        static let looks = Calls(DISK_LOOK)
        /// Reads of file content; those through mappings cannot fail in this way.
        static let reads = Calls(DISK_READ)

        static let changes: Calls = [.writes, .lengths, .names, .syncs]
    }

    var calls: Calls
    /// The number of the affected call from now on, starting at 1.
    var at: Int
    var effect: Effect
    /// Whether the fault affects all later calls, too.
    var isForever = false

    /// Injects the fault into this process from now on, replacing any other.
    func begin() {
        let (number, error): (disk_effect, Int32) =
            switch effect {
            case .killBefore: (DISK_KILL_BEFORE, 0)
            case .killWithin: (DISK_KILL_WITHIN, 0)
            case .fail(let error): (DISK_FAIL, error)
            case .shorten: (DISK_SHORTEN, 0)
            case .cutOff: (DISK_CUT_OFF, 0)
            case .lie: (DISK_LIE, EIO)
            }
        disk_inject(calls.rawValue, UInt64(at), number, error, isForever ? 1 : 0)
    }

    /// The number of such calls since then.
    static var count: Int { Int(disk_injected_count()) }

    /// Stops injecting a fault.
    static func end() { disk_inject(0, 0, DISK_FAIL, 0, 0) }
}
