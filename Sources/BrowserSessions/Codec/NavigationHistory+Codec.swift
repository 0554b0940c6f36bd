// Messages `NavigationHistory` and `NavigationEntry` of records.proto.

extension NavigationHistory {
    /// The maximum depth of nested frames in an entry. Deeper frames are left out when written and
    /// refused when read.
    public static let maximumFrameDepth = 32

    /// Returns the bytes of a `navigation` state. An index beyond the entries becomes the last one.
    public func encoded() -> [UInt8] {
        var writer = WireWriter()
        for entry in entries {
            writer.message(1) { entry.write(to: &$0, depth: 0) }
        }
        if let nearestIndex { writer.int32(2, Int32(clamping: nearestIndex + 1)) }
        writer.bytes.append(contentsOf: unknownFields)
        return writer.bytes
    }

    /// Reads the bytes of a `navigation` state. Throws ``StorageError/Code/corrupted`` if they do
    /// not follow the schema. A current index beyond the entries becomes the last one.
    public init(encoded bytes: [UInt8]) throws(StorageError) {
        self.init()
        do {
            try bytes.withUnsafeBytes { try self.read($0) }
        } catch {
            throw StorageError(
                .corrupted, "the history is not in the format of records.proto",
                operation: "read history", underlying: error)
        }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited):
                entries.append(try NavigationEntry(payload: try reader.span(), depth: 0))
            case (2, .varint):
                let number = Int(try reader.int32())
                currentIndex = number == 0 ? nil : number - 1
            default: unknownFields += try reader.skip(field)
            }
        }
        currentIndex = nearestIndex
    }

    /// The current index, or the index of the nearest entry.
    private var nearestIndex: Int? {
        guard let currentIndex, !entries.isEmpty else { return nil }
        return min(max(currentIndex, 0), entries.count - 1)
    }
}

extension NavigationEntry {
    fileprivate func write(to writer: inout WireWriter, depth: Int) {
        writer.string(1, url)
        writer.string(2, displayURL)
        writer.string(3, title)
        writer.fixed64(4, time.microseconds)
        writer.string(5, referrer)
        writer.int32(6, referrerPolicy)
        writer.int32(7, userAgent.rawValue)
        for header in requestHeaders {
            writer.message(8) {
                $0.string(1, header.name)
                $0.string(2, header.value)
            }
        }
        writer.bytes(9, pageState)
        for frame in subframes where depth < NavigationHistory.maximumFrameDepth {
            writer.message(10) { frame.write(to: &$0, depth: depth + 1) }
        }
        writer.map(11, properties)
        writer.bytes.append(contentsOf: unknownFields)
    }

    fileprivate init(payload: UnsafeRawBufferPointer, depth: Int) throws(WireError) {
        guard depth <= NavigationHistory.maximumFrameDepth else {
            throw WireError(problem: "frames are nested too deep")
        }
        self.init(url: "")
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): url = try reader.string()
            case (2, .lengthDelimited): displayURL = try reader.string()
            case (3, .lengthDelimited): title = try reader.string()
            case (4, .fixed64): time.microseconds = try reader.fixed64()
            case (5, .lengthDelimited): referrer = try reader.string()
            case (6, .varint): referrerPolicy = try reader.int32()
            case (7, .varint): userAgent.rawValue = try reader.int32()
            case (8, .lengthDelimited):
                let (name, value) = try reader.mapEntry()
                requestHeaders.append(HTTPHeader(name: name, value: value))
            case (9, .lengthDelimited): pageState = [UInt8](try reader.span())
            case (10, .lengthDelimited):
                let frame = try reader.span()
                subframes.append(try NavigationEntry(payload: frame, depth: depth + 1))
            case (11, .lengthDelimited):
                let entry = try reader.mapEntry()
                properties[entry.key] = entry.value
            default: unknownFields += try reader.skip(field)
            }
        }
    }
}
