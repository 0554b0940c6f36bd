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

    /// Shows the tabs of a store in readable form, with what is above each, in the order of the
    /// siblings: `sqlite3 sessions.db 'SELECT * FROM readable_tabs'`.
    static let readableTabs = """
        CREATE VIEW readable_tabs AS SELECT window,kind,id AS tab,url,name AS title,path,depth
        FROM readable_forest WHERE url NOT NULL
        """

    /// Shows the groups, folders, splits and spaces, in the same order.
    static let readableNodes = """
        CREATE VIEW readable_nodes AS SELECT window,kind,id AS node,type,name,path,depth
        FROM readable_forest WHERE url IS NULL
        """

    /// Shows tabs and nodes together, each behind what it is below. `path` has the names of the nodes
    /// above, outermost first, those without one by their kind; `depth` is their number.
    ///
    /// `s` is the session's part of a key. The query goes down from what is at the top, or below
    /// something that is missing, as far as a restore does. So each record is visited once, and what a
    /// cycle or more than 64 nodes hide from it comes last, without path and depth.
    static let readableForest = """
        CREATE VIEW readable_forest AS
        WITH RECURSIVE e AS (SELECT key,substr(key,2,length(key)-17) AS s,
        substr(key,-16) AS id,\(taking("t0A", "n0A")) AS place,
        \(taking("t38", "n28")) AS zone,\(taking("t42", "n1A")) AS parent,
        CAST(\(taking("t1A", "n3A")) AS TEXT) AS name,
        CASE substr(key,1,1) WHEN x'74' THEN 'tab' ELSE CAST(\(taking("n12")) AS TEXT) END AS type,
        CASE substr(key,1,1) WHEN x'74' THEN ifnull(CAST(\(taking("t12")) AS TEXT),'') END AS url
        FROM readable_fields GROUP BY key),
        d AS (SELECT e.key,e.s,e.id,e.type,e.url,e.name,'' AS path,0 AS depth,\(order) AS place
        FROM e LEFT JOIN e AS p ON p.id=e.parent AND p.s=e.s WHERE p.id IS NULL
        UNION ALL
        SELECT e.key,e.s,e.id,e.type,e.url,e.name,
        path||substr(' / ',1,3*(depth>0))||ifnull(d.name,d.type),depth+1,d.place||\(order)
        FROM d JOIN e ON e.parent=d.id AND e.s=d.s WHERE depth<64)
        SELECT \(uuid("s")) AS window,
        CASE substr(s,17,1) WHEN x'01' THEN 'regular' WHEN x'02' THEN 'incognito'
        WHEN x'03' THEN 'inactive' WHEN x'04' THEN 'recently-closed' WHEN x'05' THEN 'set-aside'
        ELSE CAST(substr(s,18,length(s)-18) AS TEXT) END AS kind,
        \(uuid("id")) AS id,type,url,ifnull(name,'') AS name,path,depth
        FROM (SELECT *,max(depth) FROM (SELECT * FROM d UNION ALL
        SELECT key,s,id,type,url,name,NULL,NULL,NULL FROM e) GROUP BY key)
        ORDER BY s,place IS NULL,place
        """

    /// Shows the fields of tabs and nodes, up to the last one that the other views need: `t` or `n`
    /// with the field's tag in hexadecimal, such as `t1A` for the title of a tab.
    ///
    /// A tab's key is `t`, window, kind, tab, and a node's begins with `n`. The value has 14 bytes
    /// before the message `TabMetadata` or `StructureNode`, and 4 after it. Each field takes three
    /// steps: the number of bytes of the number after the tag, then the size, then the rest of the
    /// message. SQL has no function for the number of a byte, so digits are taken from `hex`.
    static let readableFields = """
        CREATE VIEW readable_fields AS
        WITH RECURSIVE f(key,rest,h,l,size) AS (
        SELECT key,substr(value,15),hex(substr(value,15,6)),NULL,NULL FROM metadata
        WHERE substr(key,1,1) IN (x'74',x'6E')
        UNION ALL
        SELECT key,CASE WHEN size IS NULL THEN rest ELSE substr(rest,2+l+size) END,
        CASE WHEN size IS NULL THEN h ELSE hex(substr(rest,2+l+size,6)) END,
        CASE WHEN l IS NULL THEN CASE WHEN substr(h,2,1) IN ('1','9') THEN 0
        WHEN substr(h,3,1)<'8' THEN 1 WHEN substr(h,5,1)<'8' THEN 2
        WHEN substr(h,7,1)<'8' THEN 3 WHEN substr(h,9,1)<'8' THEN 4
        WHEN substr(h,11,1)<'8' THEN 5 ELSE 10 END WHEN size IS NULL THEN l END,
        CASE WHEN l IS NULL OR size NOT NULL THEN NULL WHEN l=0 THEN 8
        WHEN substr(h,2,1) IN ('0','8') THEN 0
        ELSE \(sevenBits(3))+(l>1)*128*\(sevenBits(5))+(l>2)*16384*\(sevenBits(7)) END
        FROM f WHERE length(rest)>4 AND h<CASE substr(key,1,1) WHEN x'74' THEN '43' ELSE '3B' END)
        SELECT key,CAST(substr(key,1,1) AS TEXT)||substr(h,1,2) AS field,
        CASE size WHEN 0 THEN substr(rest,2,l) ELSE substr(rest,2+l,size) END AS value
        FROM f WHERE size NOT NULL
        """

    /// Returns the value of the first of these fields that a record has; NULL if it has none.
    private static func taking(_ fields: String...) -> String {
        let names = fields.map { "'\($0)'" }.joined(separator: ",")
        return "max(CASE WHEN field IN (\(names)) THEN value END)"
    }

    /// What an element adds to the order: its zone, its order key, and its id.
    private static let order = """
        CASE hex(e.zone) WHEN '02' THEN 0 WHEN '01' THEN 1 ELSE 2 END\
        ||hex(e.place)||' '||hex(e.id)
        """

    /// Returns the low seven bits of the byte with two digits at this place of the column `h`.
    private static func sevenBits(_ place: Int) -> String {
        let digits = "'123456789ABCDEF'"
        return """
            ((16*instr(\(digits),substr(h,\(place),1))\
            +instr(\(digits),substr(h,\(place + 1),1)))&127)
            """
    }

    private static func uuid(_ bytes: String) -> String {
        let parts = [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { start, count in
            "substr(hex(\(bytes)),\(start),\(count))"
        }
        return parts.joined(separator: "||'-'||")
    }
}
