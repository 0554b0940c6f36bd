internal import CLevelDB

/// The LevelDB library that this program uses.
public enum LevelDBLibrary {
    /// The version of the loaded library, such as `1.23`. It can be newer than the one at build
    /// time.
    public static var version: String {
        "\(leveldb_major_version()).\(leveldb_minor_version())"
    }
}
