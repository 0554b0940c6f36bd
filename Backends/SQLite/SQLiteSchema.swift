/// The schema of every `sessions.db`, byte for byte.
///
/// SQLite reads the schema of a file first and follows it: a trigger or a check runs with each
/// save. So the schema is compared as bytes before SQLite sees the file. A file with another schema
/// is damaged, and its content is read without SQL.
enum SQLiteSchema {
    /// A row of the schema.
    private struct Object {
        var type: String
        var name: String
        var table: String
        var root: UInt8
        var sql: String?
    }

    private static let objects = [
        Object(
            type: "table", name: "metadata", table: "metadata", root: 2,
            sql: """
                CREATE TABLE metadata(\(SQLiteFormat.signature)
                    key BLOB PRIMARY KEY, batch INTEGER NOT NULL, value BLOB NOT NULL) WITHOUT ROWID
                """),
        Object(
            type: "table", name: "state", table: "state", root: 3,
            sql: "CREATE TABLE state"
                + "(id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL)"),
        Object(
            type: "index", name: "sqlite_autoindex_state_1", table: "state", root: 4, sql: nil),
        view("readable_fields", SQLiteFormat.readableFields),
        view("readable_forest", SQLiteFormat.readableForest),
        view("readable_tabs", SQLiteFormat.readableTabs),
        view("readable_nodes", SQLiteFormat.readableNodes),
    ]

    private static func view(_ name: String, _ sql: String) -> Object {
        Object(type: "view", name: name, table: name, root: 0, sql: sql)
    }

    /// The statements that make it.
    static let statements = objects.compactMap(\.sql)

    /// The rows as SQLite writes them. All of them fit into the first page.
    private static let rows = objects.map { object in
        let texts = [object.type, object.name, object.table].map { [UInt8]($0.utf8) }
        let sql = object.sql.map { [UInt8]($0.utf8) }
        // Type 8 is a zero without bytes, type 1 a number of one byte.
        let types =
            texts.map { 13 + 2 * $0.count } + [object.root == 0 ? 8 : 1]
            + [sql.map { 13 + 2 * $0.count } ?? 0]
        let header = types.flatMap(varint)
        return [UInt8(header.count + 1)] + header + texts.flatMap { $0 }
            + (object.root == 0 ? [] : [object.root]) + (sql ?? [])
    }

    /// Up to two bytes.
    private static func varint(_ number: Int) -> [UInt8] {
        number < 128 ? [UInt8(number)] : [UInt8(number >> 7) | 0x80, UInt8(number & 0x7F)]
    }

    /// Returns whether the first page of a database has this schema and no other.
    static func isWhole(inFirstPage page: [UInt8]) -> Bool {
        let cells = SQLiteRecords(page: page).tableCells(isFirstPage: true)
        return cells.count == rows.count
            && zip(cells, rows).allSatisfy { $0.overflow == 0 && $0.local.elementsEqual($1) }
    }
}
