#if PostgreSQL
    internal import BrowserSessions
    internal import StorageEngines

    /// Records of a profile, whole: values that are cut are put together, and long answers come in pages.
    struct PostgreSQLReading {
        /// Asks a statement about a partition, with the values behind that.
        let read:
            (_ statement: PostgreSQLStatement, _ partition: String, _ values: [[UInt8]?]) throws
                -> PostgreSQLRows

        /// How many records come at once: metadata is small, states have up to a chunk.
        private static let page: [KeySpace: Int64] = [.metadata: 5000, .state: 64]

        func value(of key: [UInt8], in space: KeySpace, of partition: String) throws -> [UInt8]? {
            let rows = try read(.value, partition, [Self.code(space), key])
            guard rows.count == 1 else { return nil }
            return try whole(rows, 0, 0, key: key, partition) { [UInt8]($0) }
        }

        func scan(
            _ space: KeySpace, of partition: String, prefix: [UInt8],
            _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
        ) throws {
            let limit = Self.page[space] ?? 1
            let end = Self.successor(of: prefix)
            var start = prefix
            // waits: each turn reads a page
            while true {
                let rows = try read(
                    .scan, partition, [Self.code(space), start, end, PostgreSQLValue.number(limit)])
                for row in 0..<rows.count {
                    guard let key = rows.bytes(row, 0) else { continue }
                    try whole(rows, row, 1, key: key, partition) { try visit(key, $0) }
                }
                guard rows.count == limit else { return }
                // The first key that is greater.
                start = rows.blob(rows.count - 1, 0) + [0]
            }
        }

        /// Hands over a value, put together if it is in chunks: value, number of chunks and revision lie in
        /// this column and the two behind it.
        private func whole<Success>(
            _ rows: PostgreSQLRows, _ row: Int, _ column: Int, key: some Collection<UInt8>,
            _ partition: String, _ visit: (UnsafeRawBufferPointer) throws -> Success
        ) throws -> Success {
            guard let value = rows.bytes(row, column), let count = rows.number(row, column + 1)
            else {
                throw Self.incomplete
            }
            if count == 0 { return try visit(value) }
            let chunks = try read(.chunks, partition, [[UInt8](key), rows.blob(row, column + 2)])
            guard chunks.count == count else { throw Self.incomplete }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(chunks.count * PostgreSQLStore.chunkBytes)
            for row in 0..<chunks.count {
                bytes += chunks.bytes(row, 0) ?? .init(start: nil, count: 0)
            }
            return try bytes.withUnsafeBytes(visit)
        }

        private static let incomplete = StorageError(.corrupted, "chunks of a value are missing")

        /// The first key behind all that begin with a prefix; `nil` if there is none.
        private static func successor(of prefix: [UInt8]) -> [UInt8]? {
            var end = prefix
            while let last = end.popLast() {
                if last < .max { return end + [last + 1] }
            }
            return nil
        }

        private static func code(_ space: KeySpace) -> [UInt8] {
            PostgreSQLValue.short(Int16(space.rawValue))
        }
    }
#endif
