extension TabMetadata: WireMessage {
    package var encodedCapacity: Int {
        64 + url.utf8.count + title.utf8.count + faviconURL.utf8.count + unknownFields.count
    }

    package init(id: TabID, payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(id: id, place: .middle)
        try WireDecoder.read(&self, from: payload)
    }

    /// Returns the tab as message `TabMetadata` of records.proto, without its ID, which is in its
    /// record's key.
    package func encoded() -> [UInt8] { encodedPayload() }

    /// Reads two fields without the others: what is known of them if the payload cannot be read on.
    package static func facts(in payload: UnsafeRawBufferPointer)
        -> (lastActiveAt: Timestamp, parent: NodeID?)
    {
        var reader = WireReader(payload)
        var facts: (lastActiveAt: Timestamp, parent: NodeID?) = (.unknown, nil)
        do throws(WireError) {
            // Fields come in the order of their numbers.
            while let field = try reader.next(), field.number <= 8 {
                switch (field.number, field.type) {
                case (5, .fixed64): facts.lastActiveAt.microseconds = try reader.fixed64()
                case (8, .lengthDelimited): facts.parent = try reader.identifier()
                default: _ = try reader.skip(field)
                }
            }
        } catch { return facts }
        return facts
    }
}

extension SessionAttributes: WireMessage {
    package var encodedCapacity: Int {
        64 + title.utf8.count + unknownFields.count
    }

    package init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init()
        try WireDecoder.read(&self, from: payload)
    }
}

extension NavigationHistory {
    /// The maximum depth of nested frames in an entry. Deeper frames are left out when written and
    /// refused when read.
    package static let maximumFrameDepth = 32

    /// Returns the bytes of a `navigation` state. An index beyond the entries becomes the last one.
    public func encoded() -> [UInt8] {
        var history = self
        history.currentIndex = nearestIndex
        var writer = WireWriter()
        history.visitFields(&writer)
        return writer.bytes
    }

    /// Reads the bytes of a `navigation` state. Throws ``StorageError/Code/corrupted`` if they do
    /// not follow the schema. A current index beyond the entries becomes the last one.
    public init(encoded bytes: [UInt8]) throws(StorageError) {
        self.init()
        do {
            try bytes.withUnsafeBytes { try WireDecoder.read(&self, from: $0) }
        } catch {
            throw StorageError(
                .corrupted, "the history is not in the format of records.proto",
                operation: "read history", underlying: error)
        }
        currentIndex = nearestIndex
    }

    /// The current index, or the index of the nearest entry.
    private var nearestIndex: Int? {
        guard let currentIndex, !entries.isEmpty else { return nil }
        return min(max(currentIndex, 0), entries.count - 1)
    }
}

extension SessionRecord {
    /// Returns all that is saved of the record but its identifiers, also what a newer version wrote: for
    /// storages that keep records as bytes. Equal records have equal bytes.
    public func encoded() -> [UInt8] { encodedPayload() }

    /// Reads ``encoded()``. Throws ``StorageError/Code/corrupted`` if the bytes do not follow the schema.
    ///
    /// - Parameters:
    ///   - item: the session, tab or node that the record describes.
    ///   - session: the session that it is in; for attributes, the session itself.
    ///   - bytes: what ``encoded()`` returned.
    public init(_ item: SessionItem, in session: SessionID, encoded bytes: [UInt8])
        throws(StorageError)
    {
        do {
            self = try bytes.withUnsafeBytes { try Self(item, in: session, payload: $0) }
        } catch {
            throw StorageError(
                .corrupted, "the record is not in the format of records.proto",
                operation: "read record", underlying: error)
        }
    }
}
