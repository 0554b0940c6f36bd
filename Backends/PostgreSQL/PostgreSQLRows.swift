#if PostgreSQL
    internal import BrowserSessions
    internal import CPostgreSQL
    internal import StorageEngines

    /// The answer to a statement. The server may be anyone, so nothing about it is assumed.
    final class PostgreSQLRows {
        private let result: OpaquePointer?

        init(_ result: OpaquePointer?) { self.result = result }

        deinit { PQclear(result) }

        var count: Int { Int(PQntuples(result)) }

        /// Returns the bytes of a value, valid as long as the rows; `nil` for NULL.
        func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
            guard (0..<count).contains(row), (0..<Int(PQnfields(result))).contains(column)
            else { return nil }
            let (row, column) = (Int32(row), Int32(column))
            guard PQgetisnull(result, row, column) == 0 else { return nil }
            return UnsafeRawBufferPointer(
                start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column))
            )
        }

        /// Returns an integer of two, four or eight bytes; `nil` for NULL and anything else.
        func number(_ row: Int, _ column: Int) -> Int64? {
            guard let bytes = bytes(row, column) else { return nil }
            switch bytes.count {
            case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
            case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
            case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
            default: return nil
            }
        }

        /// Returns a number that the store counts with.
        func stored(_ row: Int, _ column: Int, _ name: String) throws(StorageError) -> StoredNumber
        {
            guard let number = number(row, column).flatMap({ StoredNumber($0) }) else {
                throw Self.impossible(name)
            }
            return number
        }

        /// Returns the 16 bytes of an identifier.
        func identifier(_ row: Int, _ column: Int, _ name: String) throws(StorageError) -> [UInt8] {
            let found = blob(row, column)
            guard found.count == 16 else { throw Self.impossible(name) }
            return found
        }

        private static func impossible(_ name: String) -> StorageError {
            StorageError(
                .corrupted,
                "the server has \(name) that no program of ours wrote; nothing was changed")
        }

        /// Returns a copy of the bytes of a value; empty for NULL.
        func blob(_ row: Int, _ column: Int) -> [UInt8] {
            bytes(row, column).map { [UInt8]($0) } ?? []
        }

        /// Returns whether a value is true; NULL is not.
        func isTrue(_ row: Int, _ column: Int) -> Bool { bytes(row, column)?.first == 1 }

        func text(_ row: Int, _ column: Int) -> String? {
            bytes(row, column).map { String(decoding: $0, as: UTF8.self) }
        }

        /// Returns any text in a form for people: its beginning, without terminal control
        /// characters.
        func shown(_ row: Int, _ column: Int) -> String {
            (bytes(row, column)?.prefix(1024)).map {
                Self.harmless(String(decoding: $0, as: UTF8.self))
            } ?? "?"
        }

        static func harmless(_ text: String) -> String {
            var shown = String.UnicodeScalarView()
            for scalar in text.unicodeScalars.prefix(64) {
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse,
                    .unassigned,
                    .nonspacingMark, .enclosingMark:
                    shown.append("?")
                default: shown.append(scalar)
                }
            }
            return String(shown) + (text.unicodeScalars.count > 64 ? "…" : "")
        }
    }
#endif
