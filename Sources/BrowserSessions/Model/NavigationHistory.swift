/// A tab's history: the content of its `navigation` state.
///
/// Encode with ``encoded()`` and read with ``init(encoded:)``. The schema is `records.proto`.
public struct NavigationHistory: Hashable, Sendable {
    /// The entries, oldest first.
    public var entries: [NavigationEntry]
    /// The index of the entry that is shown; `nil` if there is none.
    public var currentIndex: Int?
    /// Fields that a newer version wrote, kept as they were found.
    package internal(set) var unknownFields: [UInt8] = []

    /// Creates a history, by default one without entries.
    public init(entries: [NavigationEntry] = [], currentIndex: Int? = nil) {
        self.entries = entries
        self.currentIndex = currentIndex
    }

    /// Creates the history of a tab with a known address and title only.
    public init(url: String, title: String, time: Timestamp = .unknown) {
        self.init(
            entries: [NavigationEntry(url: url, title: title, time: time)], currentIndex: 0)
    }
}

// Message `NavigationHistory` of records.proto.
extension NavigationHistory: FieldRecord {
    package static var blank: NavigationHistory { NavigationHistory() }

    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.records(Field(1, "entries"), &entries)
        try visitor.index(Field(2, "currentIndex"), &currentIndex)
        try visitor.unknownFields(&unknownFields)
    }
}

/// One entry of a tab's history.
public struct NavigationEntry: Hashable, Sendable {
    /// The address that the page was loaded from.
    public var url: String
    /// The address to show, if it differs from ``url``.
    public var displayURL: String
    /// The title of the page; empty if it has none.
    public var title: String
    /// When the page was visited; ``Timestamp/unknown`` if that was not recorded.
    public var time: Timestamp
    /// The address of the page that led to this one; empty if there is none.
    public var referrer: String
    /// The referrer policy, as the source browser numbers it.
    public var referrerPolicy: Int32
    /// The version of the site that was requested.
    public var userAgent: UserAgent
    /// The headers of the request that led to the page; empty if none were recorded.
    public var requestHeaders: [HTTPHeader]
    /// Opaque page state (scroll position, form content), as the source browser wrote it.
    public var pageState: [UInt8]
    /// The entries of frames in the page.
    public var subframes: [NavigationEntry]
    /// Small attributes that belong to the host or the source browser.
    public var properties: [String: String]
    /// Fields that a newer version wrote, kept as they were found.
    package internal(set) var unknownFields: [UInt8] = []

    /// Creates an entry. Everything but the address is empty or unknown by default.
    public init(
        url: String,
        displayURL: String = "",
        title: String = "",
        time: Timestamp = .unknown,
        referrer: String = "",
        referrerPolicy: Int32 = 0,
        userAgent: UserAgent = .unspecified,
        requestHeaders: [HTTPHeader] = [],
        pageState: [UInt8] = [],
        subframes: [NavigationEntry] = [],
        properties: [String: String] = [:]
    ) {
        self.url = url
        self.displayURL = displayURL
        self.title = title
        self.time = time
        self.referrer = referrer
        self.referrerPolicy = referrerPolicy
        self.userAgent = userAgent
        self.requestHeaders = requestHeaders
        self.pageState = pageState
        self.subframes = subframes
        self.properties = properties
    }
}

// Message `NavigationEntry` of records.proto.
extension NavigationEntry: FieldRecord {
    package static var blank: NavigationEntry { NavigationEntry(url: "") }
    package static var isNestable: Bool { true }

    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(Field(1, "url"), &url)
        try visitor.text(Field(2, "displayURL"), &displayURL)
        try visitor.text(Field(3, "title"), &title)
        try visitor.time(Field(4, "time"), &time)
        try visitor.text(Field(5, "referrer"), &referrer)
        try visitor.number(Field(6, "referrerPolicy"), &referrerPolicy)
        try visitor.number(Field(7, "userAgent"), &userAgent.rawValue)
        try visitor.records(Field(8, "requestHeaders"), &requestHeaders)
        try visitor.bytes(Field(9, "pageState"), &pageState)
        try visitor.records(Field(10, "subframes"), &subframes)
        try visitor.texts(Field(11, "properties"), &properties)
        try visitor.unknownFields(&unknownFields)
    }
}

/// The version of a site that a page requested. An open set.
public struct UserAgent: Hashable, Sendable, RawRepresentable {
    public var rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// No version was recorded; the raw value is 0.
    public static let unspecified = UserAgent(rawValue: 0)
    /// The version that the browser chooses by itself; the raw value is 1.
    public static let automatic = UserAgent(rawValue: 1)
    /// The version for phones; the raw value is 2.
    public static let mobile = UserAgent(rawValue: 2)
    /// The version for desktop computers; the raw value is 3.
    public static let desktop = UserAgent(rawValue: 3)
}

/// One header of the request that led to a page.
public struct HTTPHeader: Hashable, Sendable {
    /// The name of the header, such as `Accept-Language`.
    public var name: String
    /// The value of the header, without its name.
    public var value: String

    /// Creates a header from its name and its value.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

// Message `HTTPHeader` of records.proto.
extension HTTPHeader: FieldRecord {
    package static var blank: HTTPHeader { HTTPHeader(name: "", value: "") }

    package mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(Field(1, "name"), &name)
        try visitor.text(Field(2, "value"), &value)
    }
}
