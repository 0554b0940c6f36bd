import BrowserSessions

// The messages of Chrome for iOS, from facts about the wire format. Their names are ours. Texts that are not UTF-8
// lose a character and not the message, and numbers of enumerations are kept as they are.

protocol ChromeIOSMessage: FieldRecord {
    init()
}

extension ChromeIOSMessage {
    static var blank: Self { Self() }

    /// Reads a whole message; `nil` if it is damaged.
    init?(message bytes: some Collection<UInt8>) {
        self.init()
        var record = self
        guard (try? Array(bytes).withUnsafeBytes { try WireDecoder.read(&record, from: $0) }) != nil
        else { return nil }
        self = record
    }
}

/// An item of the list in `session_metadata.pb`.
struct ChromeIOSItem: ChromeIOSMessage, Equatable {
    var identifier: Int32 = 0
    /// The place of the tab that opened this one, and of the entry there; `nil` without an opener.
    var opener: ChromeIOSNumbers?
    var metadata: ChromeIOSMetadata?
    private var unknown: [UInt8] = []

    /// Whether it has fields that no version of the browser writes, which damage can make of others.
    var hasUnknownFields: Bool {
        !unknown.isEmpty || opener?.hasFields(beyond: 2) == true
            || metadata?.hasUnknownFields == true
    }

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.number(Field(1, "identifier"), &identifier)
        try visitor.record(Field(2, "opener"), &opener)
        try visitor.record(Field(3, "metadata"), &metadata)
        try visitor.unknownFields(&unknown)
    }
}

/// A message of up to two numbers: the indexes of an opener and of its entry, the start and the length of a range, the
/// low and the high half of an identifier, a time.
struct ChromeIOSNumbers: ChromeIOSMessage, Equatable {
    private var fields: [UInt8] = []

    init() {}

    init(_ first: Int64, _ second: Int64 = 0) {
        var writer = WireWriter()
        for (tag, number) in [(1 << 3, first), (2 << 3, second)] as [(UInt64, Int64)]
        where number != 0 {
            writer.varint(tag)
            writer.varint(UInt64(bitPattern: number))
        }
        fields = writer.bytes
    }

    var first: Int64 { number(1) }
    var second: Int64 { number(2) }

    private func number(_ wanted: Int) -> Int64 {
        let field = WireFields(fields[...]).fields.last { $0.number == wanted }
        guard case .varint(let value) = field?.value else { return 0 }
        return Int64(bitPattern: value)
    }

    /// Whether it has others than so many numbers.
    func hasFields(beyond count: Int) -> Bool {
        WireFields(fields[...]).fields.contains { field in
            if case .varint = field.value { field.number > count } else { true }
        }
    }

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.unknownFields(&fields)
    }
}

/// What is known about a tab without its `data.pb`.
struct ChromeIOSMetadata: ChromeIOSMessage, Equatable {
    var creationTime: ChromeIOSNumbers?
    var lastActiveTime: ChromeIOSNumbers?
    var page: ChromeIOSPage?
    var navigationItemCount: Int32 = 0
    private var unknown: [UInt8] = []

    fileprivate var hasUnknownFields: Bool {
        !unknown.isEmpty || page?.unknown.isEmpty == false
            || [creationTime, lastActiveTime].contains { $0?.hasFields(beyond: 1) == true }
    }

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.record(Field(1, "creation_time"), &creationTime)
        try visitor.record(Field(2, "last_active_time"), &lastActiveTime)
        try visitor.record(Field(3, "active_page"), &page)
        try visitor.number(Field(4, "navigation_item_count"), &navigationItemCount)
        try visitor.unknownFields(&unknown)
    }
}

struct ChromeIOSPage: ChromeIOSMessage, Equatable {
    var title = ""
    var url = ""
    var unknown: [UInt8] = []

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(Field(1, "page_title"), &title)
        try visitor.text(Field(2, "page_url"), &url)
        try visitor.unknownFields(&unknown)
    }
}

/// A group of the list.
struct ChromeIOSGroup: ChromeIOSMessage {
    var range: ChromeIOSNumbers?
    var title = ""
    var color: Int32 = 0
    var isCollapsed = false
    var id: ChromeIOSNumbers?

    /// The places of its tabs in the list, which may go beyond that.
    var places: Range<Int> {
        let start = Int(Int32(truncatingIfNeeded: range?.first ?? 0))
        return start..<max(start, start + Int(Int32(truncatingIfNeeded: range?.second ?? 0)))
    }

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.record(Field(1, "range"), &range)
        try visitor.text(Field(2, "title"), &title)
        try visitor.number(Field(3, "color"), &color)
        try visitor.flag(Field(4, "collapsed"), &isCollapsed)
        try visitor.record(Field(5, "tab_group_id"), &id)
    }
}

/// The content of `data.pb`.
struct ChromeIOSState: ChromeIOSMessage {
    var hasOpener = false
    var metadata: ChromeIOSMetadata?
    var userAgent: Int32 = 0
    var navigation: ChromeIOSNavigation?

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.flag(Field(1, "has_opener"), &hasOpener)
        try visitor.record(Field(2, "metadata"), &metadata)
        try visitor.number(Field(3, "user_agent"), &userAgent)
        try visitor.record(Field(4, "navigation"), &navigation)
    }
}

struct ChromeIOSNavigation: ChromeIOSMessage {
    /// The index of the current item; -1 for none.
    var current: Int32 = 0
    var items: [ChromeIOSNavigationItem] = []

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.number(Field(1, "last_committed_item_index"), &current)
        try visitor.records(Field(2, "items"), &items)
    }
}

struct ChromeIOSNavigationItem: ChromeIOSMessage {
    var url = ""
    var virtualURL = ""
    var title = ""
    var time: ChromeIOSNumbers?
    var userAgent: Int32 = 0
    var referrer: ChromeIOSReferrer?
    var headers: ChromeIOSHeaders?
    var fileResource: [UInt8] = []

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(Field(1, "url"), &url)
        try visitor.text(Field(2, "virtual_url"), &virtualURL)
        try visitor.text(Field(3, "title"), &title)
        try visitor.record(Field(4, "timestamp"), &time)
        try visitor.number(Field(5, "user_agent"), &userAgent)
        try visitor.record(Field(6, "referrer"), &referrer)
        try visitor.record(Field(7, "http_request_headers"), &headers)
        try visitor.bytes(Field(8, "security_scoped_file_resource"), &fileResource)
    }
}

struct ChromeIOSReferrer: ChromeIOSMessage {
    var url = ""
    var policy: Int32 = 0

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(Field(1, "url"), &url)
        try visitor.number(Field(2, "policy"), &policy)
    }
}

struct ChromeIOSHeaders: ChromeIOSMessage {
    var headers: [HTTPHeader] = []

    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.records(Field(1, "headers"), &headers)
    }
}

extension Timestamp {
    init(_ time: ChromeIOSNumbers?) { self.init(windowsMicroseconds: time?.first ?? 0) }

    /// The message with the time; `nil` if that is unknown.
    var chromeIOS: ChromeIOSNumbers? {
        self == .unknown ? nil : ChromeIOSNumbers(windowsMicroseconds)
    }
}
