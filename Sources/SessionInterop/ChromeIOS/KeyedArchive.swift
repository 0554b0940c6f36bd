import BrowserSessions

/// The objects of a keyed archive, as `NSKeyedArchiver` writes them into a property list.
///
/// Objects refer to others by position, in any direction. Readers follow a fixed path, so a cycle
/// ends at an object of the wrong kind.
struct KeyedArchive {
    typealias Value = BinaryPropertyList.Value

    /// An object with the fields of its class.
    struct Object {
        /// The name of the class; empty if it cannot be read.
        var className: String
        /// The fields, as numbers for ``value(_:)``.
        var fields: [String: Int]
    }

    private(set) var list: BinaryPropertyList
    private let objects: [Int]
    private var classNames: [Int: String] = [:]
    /// The number of the top-level object.
    let root: Int

    /// Throws `corrupted` if the bytes are not a readable property list, `incompatibleFormat` if it
    /// is not a keyed archive, and `tooLarge` if a limit was reached before that was known.
    init(_ bytes: [UInt8], _ limits: ImportLimits) throws(StorageError) {
        guard var list = BinaryPropertyList(bytes, limits) else {
            throw SourceFile.failure(.corrupted, "the property list cannot be read")
        }
        guard case .dictionary(let parts) = list.value(list.top),
            let all = parts["$objects"], case .array(let objects) = list.value(all),
            let entry = parts["$top"], case .dictionary(let names) = list.value(entry),
            let root = names["root"]
        else {
            throw SourceFile.failure(
                list.isExhausted ? .tooLarge : .incompatibleFormat,
                "the property list is no keyed archive that can be read")
        }
        (self.list, self.objects, self.root) = (list, objects, root)
    }

    /// Returns the content of a field, from the field itself or from an object of the archive.
    /// Members of arrays and dictionaries are numbers for this function.
    mutating func value(_ number: Int) -> Value {
        switch target(number) {
        case nil, .position, .array: .unreadable
        case .dictionary(let fields): object(fields)
        case let value?: value
        }
    }

    /// Returns the value of a field, or the value at its position. Follows at most one step.
    private mutating func target(_ number: Int) -> Value? {
        let value = list.value(number)
        guard case .position(let position) = value else { return value }
        guard position > 0 else { return .null }
        return objects.indices.contains(position) ? list.value(objects[position]) : nil
    }

    /// Reads a system object. Its fields identify its class. They are the same for a class and its
    /// mutable form.
    private mutating func object(_ fields: [String: Int]) -> Value {
        if let members = fields["NS.objects"] {
            guard case .array(let members) = target(members) else { return .unreadable }
            guard let names = fields["NS.keys"] else { return .array(members) }
            guard case .array(let names) = target(names) else { return .unreadable }
            return table(names, members)
        }
        for name in ["NS.string", "NS.relative", "NS.data", "NS.bytes"] {
            guard let inner = fields[name] else { continue }
            switch target(inner) {
            case .text(let text): return .text(text)
            case .bytes(let bytes): return .bytes(bytes)
            default: return .unreadable
            }
        }
        return .object(Object(className: className(fields), fields: fields))
    }

    private mutating func table(_ names: [Int], _ members: [Int]) -> Value {
        guard names.count == members.count else { return .unreadable }
        var table: [String: Int] = [:]
        for (name, member) in zip(names, members) {
            guard case .text(let name) = target(name) else { return .unreadable }
            table[name] = member
        }
        return .dictionary(table)
    }

    private mutating func className(_ fields: [String: Int]) -> String {
        guard let number = fields["$class"] else { return "" }
        if let known = classNames[number] { return known }
        guard case .dictionary(let description) = target(number),
            let name = description["$classname"], case .text(let text) = list.value(name)
        else { return "" }
        classNames[number] = text
        return text
    }
}
