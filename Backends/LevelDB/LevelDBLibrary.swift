internal import CLevelDB

/// The LevelDB that this program uses.
public enum LevelDBLibrary {
    /// The version of the library that was loaded, such as `1.23`; it can be a newer one than that
    /// with which the program was built.
    public static var version: String {
        "\(leveldb_major_version()).\(leveldb_minor_version())"
    }
}
