/// A value of a property list.
enum PropertyListValue {
    case bool(Bool)
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case position(Int)
    case array([PropertyListValue])
    case dictionary([(String, PropertyListValue)])
}

/// Writes binary property lists: offsets of four bytes, numbers of two.
struct PropertyListWriter {
    private var bytes = Array("bplist00".utf8)
    private var offsets: [Int] = []

    static func bytes(of value: PropertyListValue) -> [UInt8] {
        var writer = Self()
        let top = writer.add(value)
        let table = writer.bytes.count
        for offset in writer.offsets { writer.append(offset, size: 4) }
        writer.bytes += [0, 0, 0, 0, 0, 0, 4, 2]
        for number in [writer.offsets.count, top, table] { writer.append(number, size: 8) }
        return writer.bytes
    }

    /// Members come before what holds them.
    private mutating func add(_ value: PropertyListValue) -> Int {
        var body: [UInt8]
        switch value {
        case .bool(let value): body = [value ? 0x09 : 0x08]
        case .integer(let value): body = [0x13] + Self.big(UInt64(bitPattern: value), size: 8)
        case .bytes(let value): body = Self.head(0x40, value.count) + value
        case .text(let value):
            let units = Array(value.utf16)
            body = Self.head(0x60, units.count) + units.flatMap { Self.big(UInt64($0), size: 2) }
        case .position(let value): body = [0x81] + Self.big(UInt64(value), size: 2)
        case .array(let values):
            let members = values.map { add($0) }
            body = Self.head(0xA0, members.count)
            for member in members { body += Self.big(UInt64(member), size: 2) }
        case .dictionary(let members):
            let names = members.map { add(.text($0.0)) }
            let values = members.map { add($0.1) }
            body = Self.head(0xD0, members.count)
            for number in names + values { body += Self.big(UInt64(number), size: 2) }
        }
        offsets.append(bytes.count)
        bytes += body
        return offsets.count - 1
    }

    private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 0x0F, 0x12] + big(UInt64(count), size: 4)
    }

    private static func big(_ value: UInt64, size: Int) -> [UInt8] {
        (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }

    private mutating func append(_ value: Int, size: Int) {
        bytes += Self.big(UInt64(value), size: size)
    }
}

/// Writes keyed archives of windows of Chrome for iOS.
struct ArchiveWriter {
    typealias Fields = [(String, PropertyListValue)]

    /// Position 0 stands for nothing.
    var objects: [PropertyListValue] = [.text("$null")]

    mutating func add(_ value: PropertyListValue) -> PropertyListValue {
        objects.append(value)
        return .position(objects.count - 1)
    }

    mutating func object(_ name: String, _ fields: Fields) -> PropertyListValue {
        let kind = add(.dictionary([("$classname", .text(name))]))
        return add(.dictionary(fields + [("$class", kind)]))
    }

    mutating func array(_ members: [PropertyListValue]) -> PropertyListValue {
        object("NSArray", [("NS.objects", .array(members))])
    }

    mutating func table(_ members: Fields) -> PropertyListValue {
        let names = members.map { add(.text($0.0)) }
        let values = members.map { add($0.1) }
        return object(
            "NSDictionary", [("NS.keys", .array(names)), ("NS.objects", .array(values))])
    }

    mutating func entry(_ url: String, _ extra: Fields = []) -> PropertyListValue {
        let title = add(.text("Title of " + url))
        return object(
            "CRWNavigationItemStorage",
            [("urlString", .bytes(Array(url.utf8))), ("title", title)] + extra)
    }

    /// A tab with a history of its own.
    mutating func tab(
        _ number: Int64, _ urls: [String], current: Int64? = nil, data: Fields = [],
        _ extra: Fields = []
    ) -> PropertyListValue {
        let entries = urls.map { entry($0) }
        var fields: Fields = [
            ("entries", array(entries)), ("uniqueIdentifier", .integer(number)),
            ("lastCommittedItemIndex", .integer(current ?? Int64(urls.count - 1))),
        ]
        if !data.isEmpty { fields.append(("serializedUserData", table(data))) }
        return object("CRWSessionStorage", fields + extra)
    }

    mutating func window(
        _ tabs: [PropertyListValue], selected: Int64, _ extra: Fields = []
    ) -> PropertyListValue {
        let list = array(tabs)
        return object(
            "SessionWindowIOS",
            [("selectedIndex", .integer(selected)), ("sessions", list)] + extra)
    }

    func bytes(root: PropertyListValue) -> [UInt8] {
        PropertyListWriter.bytes(
            of: .dictionary([
                ("$version", .integer(100_000)), ("$objects", .array(objects)),
                ("$archiver", .text("NSKeyedArchiver")), ("$top", .dictionary([("root", root)])),
            ]))
    }
}
