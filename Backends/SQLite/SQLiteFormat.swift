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
    /// A tab's key is `t`, window, kind, tab. Its value has 14 bytes before the message
    /// `TabMetadata` and 4 after it. In the message, the order key is field 1, the URL field 2 and the
    /// title field 3, the last two left out if empty; lengths have one or two bytes below 16384.
    /// `substr` returns NULL for an empty part.
    static let readableTabs = """
        CREATE VIEW readable_tabs AS
        WITH tab AS (
            SELECT key, substr(value, 15, length(value) - 18) AS rest FROM metadata
            WHERE substr(key, 1, 1) = x'74' AND substr(value, 2, 1) = x'02'
        ), ordered AS (
            \(taking("0A", as: "place", from: "tab"))
        ), located AS (
            \(taking("12", as: "url", from: "ordered", with: "place, "))
        ), titled AS (
            \(taking("1A", as: "title", from: "located", with: "place, url, "))
        )
        SELECT \(uuid("substr(key, 2, 16)")) AS window,
            CASE substr(key, 18, 1) WHEN x'01' THEN 'regular' WHEN x'02' THEN 'incognito'
                WHEN x'03' THEN 'inactive' WHEN x'04' THEN 'recently-closed'
                WHEN x'05' THEN 'set-aside'
                ELSE CAST(substr(key, 19, instr(substr(key, 19), x'00') - 1) AS TEXT) END AS kind,
            \(uuid("substr(key, -16)")) AS tab,
            ifnull(CAST(url AS TEXT), '') AS url, ifnull(CAST(title AS TEXT), '') AS title
        FROM titled ORDER BY substr(key, 1, length(key) - 16), place, key
        """

    /// Returns a query that takes the first field off the column `rest` if it has this tag. SQL has
    /// no function for the number of a byte; below 128 it is that of a letter.
    private static func taking(
        _ tag: String, as name: String, from table: String, with columns: String = ""
    ) -> String {
        let digits = "'123456789ABCDEF'"
        let low = "hex(substr(rest, 2, 1))"
        let high = "unicode(CAST(substr(rest, 3, 1) AS TEXT))"
        return """
            SELECT key, \(columns)substr(rest, skip + 1, size) AS \(name), substr(rest, skip + size + 1) AS rest
            FROM (SELECT *, CASE WHEN tag IS NOT x'\(tag)' THEN 0 WHEN low < '80' THEN 2 ELSE 3 END AS skip,
                CASE WHEN tag IS NOT x'\(tag)' THEN 0
                ELSE 16 * instr(\(digits), substr(low, 1, 1)) + instr(\(digits), substr(low, 2))
                    + CASE WHEN low < '80' THEN 0 ELSE 128 * \(high) - 128 END END AS size
            FROM (SELECT *, substr(rest, 1, 1) AS tag, \(low) AS low FROM \(table)))
            """
    }

    private static func uuid(_ bytes: String) -> String {
        let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { start, count in
            "substr(hex(\(bytes)), \(start), \(count))"
        }
        return parts.joined(separator: " || '-' || ")
    }
}
