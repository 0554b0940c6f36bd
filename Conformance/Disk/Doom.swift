import CDisk
import Foundation

/// What is to happen to a process at one of its calls on watched files.
struct Doom: Codable, Hashable, Sendable {
    enum Fate: Codable, Hashable, Sendable {
        case killBefore
        /// After half of a write, or after anything else.
        case killWithin
        case fail(Int32)
        /// A write writes half.
        case shorten
        /// The kernel cuts the file system off, and the process ends.
        case cutOff
        /// A sync says that it is done, and has lost what it should have written.
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
        /// open, stat and readdir of what is there.
        static let looks = Calls(DISK_LOOK)
        /// Of what is in files; those through mappings cannot fail so.
        static let reads = Calls(DISK_READ)

        static let changes: Calls = [.writes, .lengths, .names, .syncs]
    }

    var calls: Calls
    /// Which of these calls from now on, counted from 1.
    var at: Int
    var fate: Fate
    /// Whether all later ones share its fate.
    var isForever = false

    /// Holds for this process from now on, in the place of any other.
    func begin() {
        let (number, error): (disk_fate, Int32) =
            switch fate {
            case .killBefore: (DISK_KILL_BEFORE, 0)
            case .killWithin: (DISK_KILL_WITHIN, 0)
            case .fail(let error): (DISK_FAIL, error)
            case .shorten: (DISK_SHORTEN, 0)
            case .cutOff: (DISK_CUT_OFF, 0)
            case .lie: (DISK_LIE, EIO)
            }
        disk_doom(calls.rawValue, UInt64(at), number, error, isForever ? 1 : 0)
    }

    /// How many such calls there were since.
    static var count: Int { Int(disk_doomed_count()) }

    /// Nothing happens any more.
    static func end() { disk_doom(0, 0, DISK_FAIL, 0, 0) }
}
