// Messages `SessionAttributes` and `TabGroup` of records.proto.

extension SessionAttributes: WireMessage {
    package var encodedCapacity: Int {
        64 + title.utf8.count + 64 * groups.count + unknownFields.count
    }

    package func encode(to writer: inout WireWriter) {
        writer.string(1, title)
        writer.identifier(2, activeTab)
        for group in groups {
            writer.message(3) { group.write(to: &$0) }
        }
        writer.fixed64(4, createdAt.microseconds)
        writer.fixed64(5, lastActiveAt.microseconds)
        writer.map(6, properties)
        writer.bytes.append(contentsOf: unknownFields)
    }

    package init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init()
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): title = try reader.string()
            case (2, .lengthDelimited): activeTab = try reader.identifier()
            case (3, .lengthDelimited): groups.append(try TabGroup(payload: try reader.span()))
            case (4, .fixed64): createdAt.microseconds = try reader.fixed64()
            case (5, .fixed64): lastActiveAt.microseconds = try reader.fixed64()
            case (6, .lengthDelimited):
                let entry = try reader.mapEntry()
                properties[entry.key] = entry.value
            default: unknownFields += try reader.skip(field)
            }
        }
    }
}

extension TabGroup {
    fileprivate func write(to writer: inout WireWriter) {
        writer.identifier(1, id)
        writer.string(2, title)
        writer.int32(3, color.rawValue)
        writer.bool(4, isCollapsed)
        writer.bytes.append(contentsOf: unknownFields)
    }

    fileprivate init(payload: UnsafeRawBufferPointer) throws(WireError) {
        self.init(id: TabGroupID(high: 0, low: 0))
        var reader = WireReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.type) {
            case (1, .lengthDelimited): id = try reader.identifier()
            case (2, .lengthDelimited): title = try reader.string()
            case (3, .varint): color = TabGroupColor(rawValue: try reader.int32())
            case (4, .varint): isCollapsed = try reader.bool()
            default: unknownFields += try reader.skip(field)
            }
        }
    }
}
