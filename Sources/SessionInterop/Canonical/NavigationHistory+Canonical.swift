import BrowserSessions
import Foundation

extension NavigationHistory {
    /// The history as readable JSON; see ``CanonicalJSON``.
    var canonical: JSONValue {
        .object([
            "currentIndex": .optional(currentIndex.map { .integer(Int64($0)) }),
            "entries": .array(entries.map(\.canonical)),
        ])
    }
}

extension NavigationEntry {
    fileprivate var canonical: JSONValue {
        .object([
            "displayURL": .string(displayURL),
            "pageState": .base64(pageState),
            "properties": .strings(properties),
            "referrer": .string(referrer),
            "referrerPolicy": .integer(Int64(referrerPolicy)),
            "requestHeaders": .array(
                requestHeaders.map { .array([.string($0.name), .string($0.value)]) }),
            "subframes": .array(subframes.map(\.canonical)),
            "time": .integer(time.microseconds),
            "title": .string(title),
            "url": .string(url),
            "userAgent": .integer(Int64(userAgent.rawValue)),
        ])
    }
}

extension JSONValue {
    static func optional(_ value: JSONValue?) -> JSONValue { value ?? .null }

    static func strings(_ texts: [String: String]) -> JSONValue {
        .object(texts.mapValues { .string($0) })
    }

    static func base64(_ bytes: [UInt8]) -> JSONValue {
        .string(Data(bytes).base64EncodedString())
    }
}
