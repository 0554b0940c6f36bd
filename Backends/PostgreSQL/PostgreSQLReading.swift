#if PostgreSQL
    internal import BrowserSessions
    internal import StorageEngines

    /// Reads whole records of a profile: joins values that are cut, and reads long answers in
    /// pages.
    struct PostgreSQLReading {
        /// Runs a statement for a namespace, with the values after that.
        let read:
            (
                _ statement: PostgreSQLStatement, _ namespace: String, _ values: [[UInt8]?],
                _ bound: PostgreSQLBound
            ) throws -> PostgreSQLRows

        /// The largest value that a store writes.
        static let maximumValueBytes = 256 << 20
        /// The maximum size without the value: a metadata record has at most a megabyte, and a key
        /// less.
        private static let maximumRecordBytes = 2 << 20
        /// How many records come at once: metadata is small, states have up to a chunk.
        private static let pages: [KeySpace: (count: Int, bytes: Int)] = [
            .metadata: (5000, 64 << 10), .state: (smallPage, PostgreSQLStore.chunkBytes << 1),
        ]
        /// The page size where records are larger than most.
        private static let smallPage = 64
        /// More than any store has, so that a scan ends.
        private static let maximumRecords = 1 << 28

        func value(of key: [UInt8], in space: KeySpace, of namespace: String) throws -> [UInt8]? {
            let rows = try read(
                .value, namespace, [Self.code(space), key], .rows(1, of: Self.maximumValueBytes))
            guard rows.count == 1 else { return nil }
            return try whole(rows, 0, 0, key: key, namespace) { [UInt8]($0) }
        }

        func scan(
            _ space: KeySpace, of namespace: String, prefix: [UInt8],
            _ visit: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws -> Void
        ) throws {
            var start = prefix
            var last: [UInt8]?
            var count = 0
            // waits: each turn reads a page
            while true {
                let (rows, isLast) = try page(space, of: namespace, from: start, prefix)
                for row in 0..<rows.count {
                    guard let key = rows.bytes(row, 0), key.starts(with: prefix),
                        last.map({ $0.lexicographicallyPrecedes(key) }) ?? true
                    else { throw Self.disorder }
                    last = [UInt8](key)
                    try whole(rows, row, 1, key: key, namespace) { try visit(key, $0) }
                }
                count += rows.count
                guard !isLast else { return }
                guard let last, count < Self.maximumRecords else { throw Self.disorder }
                // The smallest key that is greater.
                start = last + [0]
            }
        }

        /// Returns a page of records, and whether it is the last one; a smaller page if that would
        /// be too large.
        private func page(
            _ space: KeySpace, of namespace: String, from start: [UInt8], _ prefix: [UInt8]
        ) throws -> (PostgreSQLRows, isLast: Bool) {
            func read(_ count: Int, of bytes: Int) throws -> (PostgreSQLRows, isLast: Bool) {
                let rows = try self.read(
                    .scan, namespace,
                    [
                        Self.code(space), start, Self.successor(of: prefix),
                        PostgreSQLValue.number(Int64(count)),
                    ], .rows(count, of: bytes))
                return (rows, rows.count < count)
            }
            let (count, bytes) = Self.pages[space] ?? (1, Self.maximumValueBytes)
            do {
                return try read(count, of: bytes)
            } catch let error as StorageError
                where count > Self.smallPage
                && (error.underlying as? PostgreSQLFailure)?.finding == .nonsense
            {
                return try read(Self.smallPage, of: Self.maximumRecordBytes)
            }
        }

        /// Passes on a value, joined if it is in chunks: the value, the number of chunks and the
        /// revision are in this column and the two after it.
        private func whole<Success>(
            _ rows: PostgreSQLRows, _ row: Int, _ column: Int, key: some Collection<UInt8>,
            _ namespace: String, _ visit: (UnsafeRawBufferPointer) throws -> Success
        ) throws -> Success {
            guard let value = rows.bytes(row, column), let count = rows.number(row, column + 1)
            else {
                throw Self.incomplete
            }
            if count == 0 { return try visit(value) }
            let chunkBytes = PostgreSQLStore.chunkBytes
            guard (1...Int64(Self.maximumValueBytes / chunkBytes)).contains(count),
                rows.number(row, column + 2) != nil
            else { throw Self.incomplete }
            let chunks = try read(
                .chunks, namespace, [[UInt8](key), rows.blob(row, column + 2)],
                .rows(Int(count), of: chunkBytes))
            guard chunks.count == count else { throw Self.incomplete }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(chunks.count * chunkBytes)
            for row in 0..<chunks.count {
                guard let chunk = chunks.bytes(row, 0), (1...chunkBytes).contains(chunk.count)
                else {
                    throw Self.incomplete
                }
                bytes += chunk
            }
            return try bytes.withUnsafeBytes(visit)
        }

        private static let incomplete = StorageError(.corrupted, "chunks of a value are missing")

        private static let disorder = StorageError(
            .corrupted,
            "the server answers with keys that were not asked for, or not in their order")

        /// Returns the first key after all keys with a prefix; `nil` if there is none.
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
