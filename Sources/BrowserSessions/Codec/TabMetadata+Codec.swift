// Message `TabMetadata` of records.proto. The record's key holds the tab's ID and position.

extension TabMetadata: WireMessage {
    package var encodedCapacity: Int {
        64 + url.utf8.count + title.utf8.count + faviconURL.utf8.count + unknownFields.count
    }

    /// Writes the payload of the tab's record: everything except its ID and position.
    package func encode(to writer: inout WireWriter) {
        writer.string(1, url)
        writer.string(2, title)
        writer.fixed64(3, createdAt.microseconds)
        writer.fixed64(4, lastActiveAt.microseconds)
        writer.int32(5, navigationItemCount)
        writer.bool(6, isPinned)
        writer.identifier(7, group)
        if let opener {
            writer.message(8) {
                $0.identifier(1, opener.tab)
                $0.int32(2, opener.navigationIndex)
                $0.bytes.append(contentsOf: opener.unknownFields)
            }
        }
        writer.string(9, faviconURL)
        writer.map(10, properties)
        writer.bytes.append(contentsOf: unknownFields)
    }

    package init(id: TabID, place: OrderKey, payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(id: id, place: place)
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): url = try reader.string()
            case (2, .lengthDelimited): title = try reader.string()
            case (3, .fixed64): createdAt.microseconds = try reader.fixed64()
            case (4, .fixed64): lastActiveAt.microseconds = try reader.fixed64()
            case (5, .varint): navigationItemCount = try reader.int32()
            case (6, .varint): isPinned = try reader.bool()
            case (7, .lengthDelimited): group = try reader.identifier()
            case (8, .lengthDelimited): opener = try TabOpener(payload: try reader.span())
            case (9, .lengthDelimited): faviconURL = try reader.string()
            case (10, .lengthDelimited):
                let entry = try reader.mapEntry()
                properties[entry.key] = entry.value
            default: unknownFields += try reader.skip(field)
            }
        }
    }
}

extension TabMetadata {
    /// Reads one field without the others. Returns `unknown` if the payload cannot be read.
    package static func lastActiveAt(in payload: UnsafeRawBufferPointer) -> Timestamp {
        var reader = WireReader(payload)
        do throws(WireError) {
            while let field = try reader.next() {
                if field.number == 4, field.type == .fixed64 {
                    return Timestamp(microseconds: try reader.fixed64())
                }
                _ = try reader.skip(field)
            }
        } catch { return .unknown }
        return .unknown
    }
}

extension TabOpener {
    fileprivate init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(tab: TabID(high: 0, low: 0))
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): tab = try reader.identifier()
            case (2, .varint): navigationIndex = try reader.int32()
            default: unknownFields += try reader.skip(field)
            }
        }
    }
}
