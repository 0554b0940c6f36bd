/// The format of a `sessions.db`.
///
/// Metadata is clustered by key in a table of its own, so that it is read as a whole without the
/// pages of the state, which can be a thousand times larger.
///
/// `batch` is four times the number of the batch that put the record, plus the marks ``durable``
/// and ``afterDurable``. ``SQLiteInspection`` needs them to distinguish damage from an unfinished
/// write.
enum SQLiteFormat {
    static let fileName = "sessions.db"
    static let logName = "sessions.db-wal"
    /// A file that SQLite would copy into the database when opening it. None of our connections
    /// writes one.
    static let journalName = "sessions.db-journal"
    static let version = 1
    /// `BrSs`, at byte 68 of the file.
    static let applicationID = 0x4272_5373
    static let pageSize = 4096
    /// Nothing is written after the batch before it is durable.
    static let durable: Int64 = 2
    /// Everything before the batch was durable.
    static let afterDurable: Int64 = 1
    /// A part of the schema's text, to recognize a file with a damaged header.
    static let signature = "/* browser-sessions \(version) */"

    /// Makes a database in one file, without syncing it.
    static let creation = """
        PRAGMA synchronous = OFF;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA journal_mode = MEMORY;
        PRAGMA page_size = \(pageSize);
        PRAGMA auto_vacuum = NONE;
        BEGIN;
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        \(SQLiteSchema.statements.joined(separator: ";\n"));
        COMMIT;
        PRAGMA journal_mode = WAL;
        """

    /// Shows the tabs of a store in readable form:
    /// `sqlite3 sessions.db 'SELECT * FROM readable_tabs'`.
    ///
    /// A tab's key is `t`, window, kind, order key, 0, tab. Its value has 14 bytes before the
    /// message `TabMetadata` and 4 after it. In the message, the URL is field 1 and the title field
    /// 2, each left out if empty; lengths have one or two bytes below 16384. `substr` returns NULL
    /// for an empty part.
    static let readableTabs = """
        CREATE VIEW readable_tabs AS
        WITH tab AS (
            SELECT key, substr(value, 15, length(value) - 18) AS message FROM metadata
            WHERE substr(key, 1, 1) = x'74' AND substr(value, 2, 1) = x'02'
        ), located AS (
            SELECT key, message, CASE WHEN substr(message, 1, 1) IS NOT x'0A' THEN 0
                WHEN \(byte("message", 2)) < 128 THEN 2 ELSE 3 END AS skip FROM tab
        ), split AS (
            SELECT key, substr(message, skip + 1, \(size("message", "skip"))) AS url,
                substr(message, skip + \(size("message", "skip")) + 1) AS rest FROM located
        ), titled AS (
            SELECT key, url, rest, CASE WHEN substr(rest, 1, 1) IS NOT x'12' THEN 0
                WHEN \(byte("rest", 2)) < 128 THEN 2 ELSE 3 END AS skip FROM split
        )
        SELECT \(uuid("substr(key, 2, 16)")) AS window,
            CASE substr(key, 18, 1) WHEN x'01' THEN 'regular' WHEN x'02' THEN 'incognito'
                WHEN x'03' THEN 'inactive' WHEN x'04' THEN 'recently-closed'
                WHEN x'05' THEN 'set-aside'
                ELSE CAST(substr(key, 19, instr(substr(key, 19), x'00') - 1) AS TEXT) END AS kind,
            \(uuid("substr(key, -16)")) AS tab,
            ifnull(CAST(url AS TEXT), '') AS url,
            ifnull(CAST(substr(rest, skip + 1, \(size("rest", "skip"))) AS TEXT), '') AS title
        FROM titled ORDER BY key
        """

    /// Returns the number of a byte, which SQL has no function for.
    private static func byte(_ bytes: String, _ place: Int) -> String {
        let digits = "'123456789ABCDEF'"
        let hex = "hex(substr(\(bytes), \(place), 1))"
        return "(16 * instr(\(digits), substr(\(hex), 1, 1)) + instr(\(digits), substr(\(hex), 2)))"
    }

    private static func size(_ bytes: String, _ skip: String) -> String {
        let (first, second) = (byte(bytes, 2), byte(bytes, 3))
        return "(CASE \(skip) WHEN 0 THEN 0 WHEN 2 THEN \(first) "
            + "ELSE \(first) - 128 + 128 * \(second) END)"
    }

    private static func uuid(_ bytes: String) -> String {
        let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { start, count in
            "substr(hex(\(bytes)), \(start), \(count))"
        }
        return parts.joined(separator: " || '-' || ")
    }
}
