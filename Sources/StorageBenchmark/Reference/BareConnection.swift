#if PostgreSQL
    import BrowserSessions
    import CPostgreSQL
    import Synchronization

    /// A statement of a ``BareClient``, with its values.
    struct BareStatement {
        let name: String
        let values: [[UInt8]]

        private init(_ name: String, _ values: [[UInt8]]) {
            (self.name, self.values) = (name, values)
        }

        static func head(_ profile: [UInt8]) -> Self { Self("head", [profile]) }

        static func put(_ profile: [UInt8], _ key: [UInt8], _ value: [UInt8]) -> Self {
            Self("put", [profile, key, value])
        }

        static func remove(_ profile: [UInt8], _ key: [UInt8]) -> Self {
            Self("remove", [profile, key])
        }

        static func clear(_ profile: [UInt8], _ prefix: [UInt8]) -> Self {
            Self("clear", [profile, prefix, end(of: prefix)])
        }

        /// Deletes all rows of a profile except its head.
        static func empty(_ profile: [UInt8]) -> Self { Self("empty", [profile]) }

        /// Deletes the head. Returns a row if there was one.
        static func behead(_ profile: [UInt8]) -> Self { Self("behead", [profile]) }

        static func records(_ profile: [UInt8], _ prefix: [UInt8]) -> Self {
            Self("records", [profile, prefix, end(of: prefix)])
        }

        static func value(_ profile: [UInt8], _ key: [UInt8]) -> Self {
            Self("value", [profile, key])
        }

        /// Returns the end of a range of keys. The prefix must not end with the highest byte.
        private static func end(of prefix: [UInt8]) -> [UInt8] {
            prefix.dropLast() + [(prefix.last ?? 0) + 1]
        }

        static let texts = [
            "head": """
            INSERT INTO bare_client.heads VALUES ($1, 1)
            ON CONFLICT (profile) DO UPDATE SET revision = heads.revision + 1
            """,
            "put": """
            INSERT INTO bare_client.records VALUES ($1, $2, $3)
            ON CONFLICT (profile, key) DO UPDATE SET value = excluded.value
            """,
            "remove": "DELETE FROM bare_client.records WHERE profile = $1 AND key = $2",
            "clear":
                "DELETE FROM bare_client.records WHERE profile = $1 AND key >= $2 AND key < $3",
            "empty": "DELETE FROM bare_client.records WHERE profile = $1",
            "behead": "DELETE FROM bare_client.heads WHERE profile = $1 RETURNING profile",
            "records": """
            SELECT key, value FROM bare_client.records WHERE profile = $1 AND key >= $2 AND key < $3
            ORDER BY key
            """,
            "value": "SELECT value FROM bare_client.records WHERE profile = $1 AND key = $2",
        ]
    }

    /// A connection of libpq in pipeline mode, for one caller at a time.
    final class BareConnection: Sendable {
        private let address: UInt
        private var handle: OpaquePointer? { OpaquePointer(bitPattern: address) }

        init(_ url: String) throws(StorageError) {
            let handle = PQconnectdb(url)
            address = UInt(bitPattern: handle)
            guard PQstatus(handle) == CONNECTION_OK else { throw Self.failed }
            PQsetNoticeReceiver(handle, { _, _ in }, nil)
        }

        deinit { PQfinish(handle) }

        private static let failed = StorageError(
            .unavailable, "the bare client of libpq got an error")

        func makeTables() throws(StorageError) {
            let text = """
                SET search_path = pg_catalog, pg_temp;
                SET client_min_messages = error; SET jit = off; SET enable_seqscan = off;
                SET plan_cache_mode = force_generic_plan; SET synchronous_commit = on;
                CREATE SCHEMA IF NOT EXISTS bare_client;
                CREATE TABLE IF NOT EXISTS bare_client.heads (
                    profile text COLLATE "C" PRIMARY KEY, revision int8 NOT NULL) WITH (fillfactor = 50);
                CREATE TABLE IF NOT EXISTS bare_client.records (
                    profile text COLLATE "C", key bytea, value bytea NOT NULL,
                    PRIMARY KEY (profile, key)) WITH (fillfactor = 80);
                ALTER TABLE bare_client.records ALTER value SET STORAGE EXTERNAL;
                """
            let result = PQexec(handle, text)
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw Self.failed }
            for (name, text) in BareStatement.texts {
                let result = PQprepare(handle, name, text, 0, nil)
                defer { PQclear(result) }
                guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw Self.failed }
            }
            guard PQenterPipelineMode(handle) == 1 else { throw Self.failed }
        }

        /// Performs all statements in one transaction and one round trip. Returns the last statement's rows.
        func perform(_ statements: [BareStatement]) throws(StorageError) -> BareRows {
            for statement in statements {
                guard send(statement) == 1 else { throw Self.failed }
            }
            guard PQpipelineSync(handle) == 1 else { throw Self.failed }
            var rows = BareRows(nil)
            for _ in statements {
                rows = BareRows(PQgetResult(handle))
                guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(rows.result))
                else {
                    throw Self.failed
                }
                // A null result follows the results of each statement.
                PQclear(PQgetResult(handle))
            }
            let end = BareRows(PQgetResult(handle))
            guard PQresultStatus(end.result) == PGRES_PIPELINE_SYNC else { throw Self.failed }
            return rows
        }

        private func send(_ statement: BareStatement) -> Int32 {
            let values = statement.values
            let bytes = Array(values.joined()) + [0]
            let formats = [Int32](repeating: 1, count: values.count)
            return bytes.withUnsafeBytes { bytes in
                var place = 0
                let pointers = values.map { value -> UnsafePointer<CChar>? in
                    defer { place += value.count }
                    return bytes.baseAddress?.advanced(by: place).assumingMemoryBound(
                        to: CChar.self)
                }
                return PQsendQueryPrepared(
                    handle, statement.name, Int32(values.count), pointers,
                    values.map { Int32($0.count) }, formats, 1)
            }
        }
    }

    /// The rows that a ``BareConnection`` read.
    final class BareRows {
        fileprivate let result: OpaquePointer?

        fileprivate init(_ result: OpaquePointer?) { self.result = result }

        deinit { PQclear(result) }

        var count: Int { Int(PQntuples(result)) }

        func bytes(_ row: Int, _ column: Int32) -> UnsafeRawBufferPointer? {
            guard row < count else { return nil }
            let row = Int32(row)
            return UnsafeRawBufferPointer(
                start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column))
            )
        }
    }
#endif
