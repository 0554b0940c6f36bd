import StorageEngines
import TestSupport

extension TemporaryFolder {
    var directory: PosixDirectory {
        get throws { try PosixDirectory(opening: path) }
    }

    /// Where the test's store lies.
    var store: String { "\(path)/profile" }
}
