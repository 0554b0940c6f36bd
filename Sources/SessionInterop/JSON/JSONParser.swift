/// A JSON parser that keeps what is not damaged.
///
/// If the text is truncated or breaks the grammar, the open objects and lists end with the complete
/// values that were read so far. A truncated text or number is left out, because a part of it would
/// be a wrong value. A parser that knows the shapes of the lists continues at their next readable
/// object; see `JSONParser+Resuming`.
struct JSONParser {
    /// The maximum nesting depth of objects and lists.
    static let maximumDepth = 200
    /// The maximum number of places at which reading resumes. Text with more damage is noise.
    static let maximumFailures = 10_000

    /// A place where reading stopped, the reason, and the number of bytes that were not read.
    struct Failure: Hashable {
        var offset: Int
        var reason: String
        var bytesNotRead = 0
        /// Whether the file is larger than the limits allow, which is not damage.
        var isLimit = false
    }

    /// A list or object that is being read.
    struct Level {
        /// The name of the list, or of the list or member that holds the object; empty for the
        /// top-level object.
        var name: String
        var isList: Bool
        /// The lists of the object that have begun.
        var begun: [String] = []
    }

    let shapes: JSONShapes?
    var cursor: JSONCursor
    /// Damage after which no place to continue was found yet.
    var failure: Failure?
    /// Damage after which reading continued.
    var failures: [Failure] = []
    var levels: [Level] = []
    /// The location at which to continue after the damage.
    var resumption: Resumption?
    /// Whether the text is known to be damaged.
    var isSuspicious = false
    private var hasParenthesis = false
    var valuesLeft: Int
    /// The number of further bytes that may be searched.
    var searchBudget: Int
    /// The number of bytes that were searched for a place to continue.
    var bytesTried = 0

    init(_ bytes: [UInt8], shapes: JSONShapes?, maximum: Int) {
        cursor = JSONCursor(bytes: bytes)
        self.shapes = shapes
        valuesLeft = maximum
        searchBudget = 16 * bytes.count + 4096
    }

    /// Returns the value in the text, and the damage if there is any. White space, a byte order
    /// mark and the parentheses of old Firefox files may surround the value.
    ///
    /// - Parameter shapes: The lists to find after damage. Without them, reading does not continue.
    static func parse(
        _ bytes: [UInt8], shapes: JSONShapes? = nil, maximum: Int = ImportLimits().maximumParts
    ) -> (value: JSONValue?, failures: [Failure]) {
        var parser = Self(bytes, shapes: shapes, maximum: maximum)
        let value = parser.text()
        if shapes == nil || parser.failures.allSatisfy(\.isLimit) {
            return (value, parser.failures)
        }
        // Damage may only show later, so the second pass checks where objects belong.
        var second = Self(bytes, shapes: shapes, maximum: maximum)
        second.isSuspicious = true
        return (second.text(), second.failures)
    }

    mutating func text() -> JSONValue? {
        if cursor.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { cursor.position = 3 }
        hasParenthesis = cursor.accept(UInt8(ascii: "("))
        let value = root()
        closeText()
        if var last = failure {
            last.bytesNotRead = cursor.bytes.count - min(last.offset, cursor.bytes.count)
            failures.append(last)
        }
        return value
    }

    private mutating func closeText() {
        guard failure == nil else { return }
        cursor.skipSpace()
        if hasParenthesis, cursor.accept(UInt8(ascii: ")")) { cursor.skipSpace() }
        if cursor.position < cursor.bytes.count { fail("text after the end of the value") }
    }

    /// Reads the top-level object, even if its first bracket is damaged.
    private mutating func root() -> JSONValue? {
        cursor.skipSpace()
        guard shapes != nil, cursor.next != UInt8(ascii: "{") else {
            return value(depth: 0, in: "")
        }
        if cursor.next == UInt8(ascii: "[") {
            let list = value(depth: 0, in: "")
            return failures.isEmpty ? list : list?.array?.last { $0.object != nil }
        }
        fail(cursor.next == nil ? "the text ends too early" : "an object was expected")
        let object = members(depth: 0, of: "")
        return object == .object([:]) ? nil : object
    }

    mutating func fail(_ reason: String, isLimit: Bool = false) {
        guard failure == nil else { return }
        failure = Failure(offset: cursor.position, reason: reason, isLimit: isLimit)
    }

    /// - Parameter name: The list or member that holds the value.
    mutating func value(depth: Int, in name: String) -> JSONValue? {
        cursor.skipSpace()
        guard depth < Self.maximumDepth else {
            fail("nested too deep")
            return nil
        }
        valuesLeft -= 1
        guard valuesLeft >= 0 else {
            fail("more values than the limit", isLimit: true)
            return nil
        }
        switch cursor.next {
        case UInt8(ascii: "{"):
            cursor.position += 1
            return members(depth: depth, of: name)
        case UInt8(ascii: "["):
            cursor.position += 1
            return items(depth: depth, of: name)
        case UInt8(ascii: "\""): return string().map { .string($0) }
        case UInt8(ascii: "t"): return word("true", .bool(true))
        case UInt8(ascii: "f"): return word("false", .bool(false))
        case UInt8(ascii: "n"): return word("null", .null)
        case nil:
            fail("the text ends too early")
            return nil
        default: return number()
        }
    }

    /// Reads the members of an object after its opening bracket, up to its closing one.
    ///
    /// - Parameter lists: The lists that the parser is in, if it is not at the first name: a list of
    ///   the object, a list of the first object of that list, and so on, up to an object.
    mutating func members(depth: Int, of name: String, within lists: [String] = []) -> JSONValue {
        let start = cursor.position - 1
        levels.append(Level(name: name, isList: false))
        defer { levels.removeLast() }
        var members: [String: JSONValue] = [:]
        var lists = lists
        if lists.isEmpty, failure == nil, cursor.accept(UInt8(ascii: "}")) {
            return .object(members)
        }
        while true {
            if let list = lists.first {
                let more = items(depth: depth + 1, of: list, within: Array(lists.dropFirst()))
                members[list] = .array((members[list]?.array ?? []) + (more.array ?? []))
            } else if failure == nil {
                member(depth: depth, from: start, into: &members)
            }
            if failure == nil, cursor.accept(UInt8(ascii: ",")) {
                lists = []
                continue
            }
            close(UInt8(ascii: "}"))
            if failure == nil, levels.count == 1, shapes != nil { closeText() }
            if failure == nil { break }
            guard let found = resumed() else { break }
            lists = found.lists
        }
        return .object(members)
    }

    private mutating func member(
        depth: Int, from start: Int, into members: inout [String: JSONValue]
    ) {
        cursor.skipSpace()
        guard cursor.next == UInt8(ascii: "\""), let key = string() else {
            fail(cursor.next == nil ? "the text ends too early" : "a name was expected")
            return
        }
        guard cursor.accept(UInt8(ascii: ":")) else {
            fail(cursor.next == nil ? "the text ends too early" : "a colon was expected")
            return
        }
        if let level = levels.last, isStrayList(key) {
            if isStray(.object(members), in: level.name) { cursor.position = start }
            fail("a list is not where it belongs")
            return
        }
        cursor.skipSpace()
        if cursor.next == UInt8(ascii: "{"), isList(key) {
            failures.append(Failure(offset: cursor.position, reason: "a list was expected"))
            members[key] = items(depth: depth + 1, of: key)
            return
        }
        if let member = value(depth: depth + 1, in: key) { members[key] = member }
    }

    /// Reads the values of a list after its opening bracket, up to its closing one.
    ///
    /// - Parameter lists: The lists that the parser is in, if it is not at a value: a list of the
    ///   first object, a list of the first object of that list, and so on, up to an object.
    mutating func items(depth: Int, of name: String, within lists: [String] = []) -> JSONValue {
        if shapes != nil, !levels.isEmpty { levels[levels.count - 1].begun.append(name) }
        levels.append(Level(name: name, isList: true))
        defer { levels.removeLast() }
        var items: [JSONValue] = []
        var lists = lists
        if lists.isEmpty, cursor.accept(UInt8(ascii: "]")) { return .array(items) }
        while true {
            if !lists.isEmpty {
                items.append(members(depth: depth + 1, of: name, within: lists))
            } else if let item = item(depth: depth, of: name) {
                items.append(item)
            }
            if failure == nil, cursor.accept(UInt8(ascii: ",")) {
                lists = []
                continue
            }
            close(UInt8(ascii: "]"))
            if failure == nil { break }
            guard let found = resumed() else { break }
            lists = found.lists
        }
        return .array(items)
    }

    /// Reads a list item. Known lists have only objects and nulls. Anything else comes from damage.
    private mutating func item(depth: Int, of name: String) -> JSONValue? {
        cursor.skipSpace()
        let start = cursor.position
        guard let item = value(depth: depth + 1, in: name), failure?.offset != start else {
            return nil
        }
        guard failure == nil, shapes?[name] != nil, !item.isNull else { return item }
        if item.object == nil {
            cursor.position = start
            fail("an object was expected")
            return nil
        }
        if isStray(item, in: name) {
            cursor.position = start
            fail("an object is not in the list where it belongs")
            return nil
        }
        return item
    }

    private mutating func close(_ bracket: UInt8) {
        guard failure == nil, !cursor.accept(bracket) else { return }
        fail(cursor.next == nil ? "the text ends too early" : "a comma or bracket was expected")
    }
}
