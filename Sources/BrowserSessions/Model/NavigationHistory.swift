/// A tab's history: the content of its `navigation` state.
///
/// Encode with ``encoded()`` and read with ``init(encoded:)``; the schema is `records.proto`.
public struct NavigationHistory: Hashable, Sendable {
    /// Oldest first.
    public var entries: [NavigationEntry]
    /// The index of the entry that is shown; `nil` if there is none.
    public var currentIndex: Int?
    /// Fields written by a newer version, kept as they were found.
    public internal(set) var unknownFields: [UInt8] = []

    public init(entries: [NavigationEntry] = [], currentIndex: Int? = nil) {
        self.entries = entries
        self.currentIndex = currentIndex
    }

    /// The history of a tab of which only its address and title are known.
    public init(url: String, title: String, time: Timestamp = .unknown) {
        self.init(
            entries: [NavigationEntry(url: url, title: title, time: time)], currentIndex: 0)
    }
}

/// One entry of a tab's history.
public struct NavigationEntry: Hashable, Sendable {
    public var url: String
    /// The address to show, where it differs from ``url``.
    public var displayURL: String
    public var title: String
    public var time: Timestamp
    public var referrer: String
    /// The referrer policy as the source browser numbers it.
    public var referrerPolicy: Int32
    public var userAgent: UserAgent
    public var requestHeaders: [HTTPHeader]
    /// Opaque page state (scroll position, form content) as the source browser wrote it.
    public var pageState: [UInt8]
    /// The entries of frames inside the page.
    public var subframes: [NavigationEntry]
    /// Small attributes that belong to the host or the source browser.
    public var properties: [String: String]
    /// Fields written by a newer version, kept as they were found.
    public internal(set) var unknownFields: [UInt8] = []

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

/// Which site version a page asked for. An open set.
public struct UserAgent: Hashable, Sendable, RawRepresentable {
    public var rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let unspecified = UserAgent(rawValue: 0)
    public static let automatic = UserAgent(rawValue: 1)
    public static let mobile = UserAgent(rawValue: 2)
    public static let desktop = UserAgent(rawValue: 3)
}

/// One header of the request that led to a page.
public struct HTTPHeader: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}
