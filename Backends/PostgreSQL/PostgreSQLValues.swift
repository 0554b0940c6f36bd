#if PostgreSQL
    /// Values in a server's binary form.
    enum PostgreSQLValue {
        private enum ElementType: Int32 { case bytes = 17, int16 = 21, int32 = 23, uuid = 2950 }

        static func number(_ number: Int64) -> [UInt8] { bytes(of: number) }
        static func short(_ number: Int16) -> [UInt8] { bytes(of: number) }
        static func text(_ text: String) -> [UInt8] { [UInt8](text.utf8) }

        static func shorts(_ numbers: [Int16]) -> [UInt8] {
            array(.int16, numbers.count, bytes: 2 * numbers.count) { array in
                for number in numbers { append(bytes(of: number), to: &array) }
            }
        }

        static func numbers(_ numbers: [Int32]) -> [UInt8] {
            array(.int32, numbers.count, bytes: 4 * numbers.count) { array in
                for number in numbers { append(bytes(of: number), to: &array) }
            }
        }

        static func uuids(_ items: [[UInt8]]) -> [UInt8] { list(.uuid, items) }
        static func blobs(_ items: [[UInt8]]) -> [UInt8] { list(.bytes, items) }

        static func slices(_ items: [ArraySlice<UInt8>]) -> [UInt8] { list(.bytes, items) }

        private static func list(_ type: ElementType, _ items: [some Collection<UInt8>]) -> [UInt8]
        {
            array(type, items.count, bytes: items.reduce(0) { $0 + $1.count }) { array in
                for item in items { append(item, to: &array) }
            }
        }

        /// Dimensions, whether there are NULLs, the type; length and lowest index; each element
        /// after its length.
        private static func array(
            _ type: ElementType, _ count: Int, bytes: Int, _ fill: (inout [UInt8]) -> Void
        ) -> [UInt8] {
            var array: [UInt8] = []
            array.reserveCapacity(20 + 4 * count + bytes)
            for field in [count == 0 ? 0 : 1, 0, type.rawValue] { array += self.bytes(of: field) }
            guard count > 0 else { return array }
            array += self.bytes(of: Int32(count)) + self.bytes(of: Int32(1))
            fill(&array)
            return array
        }

        private static func append(_ item: some Collection<UInt8>, to array: inout [UInt8]) {
            array += bytes(of: Int32(item.count))
            array += item
        }

        private static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
        }
    }
#endif
