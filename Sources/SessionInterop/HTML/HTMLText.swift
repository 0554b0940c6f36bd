import BrowserSessions
import Foundation

/// The text of a page. Only the program's own text is added unescaped.
struct HTMLText {
    private(set) var bytes: [UInt8] = []

    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func raw(_ text: [UInt8]) { bytes.append(contentsOf: text) }

    /// Adds a text from a session without markup, isolated from the surrounding text. Characters
    /// that could hide something or reorder their neighbors are replaced with their names.
    mutating func foreign(_ text: String) {
        raw("<bdi dir=\"auto\">")
        for scalar in text.unicodeScalars {
            if Self.isControl(scalar) {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
                raw("<span class=\"control\">U+\(zeros)\(digits)</span>")
            } else {
                raw(scalar.escapedForMarkup)
            }
        }
        raw("</bdi>")
    }

    /// Adds a text where no element is allowed, such as in a title.
    mutating func plain(_ text: String) {
        for scalar in text.unicodeScalars where !Self.isControl(scalar) {
            raw(scalar.escapedForMarkup)
        }
    }

    mutating func losses(_ losses: [String]) {
        guard !losses.isEmpty else { return }
        raw("<p>Could not be read:</p><ul>")
        for loss in losses {
            raw("<li>")
            foreign(loss)
            raw("</li>")
        }
        raw("</ul>")
    }

    /// Returns whether `CONTROL` in text.js has the character.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...8, 0xE...0x1F, 0x7F...0x9F, 0x200B, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF,
            0xFFF9...0xFFFB:
            true
        default: false
        }
    }

    /// Returns an address as the value of a link's attribute; `nil` if it is not allowed there.
    static func target(_ address: String) -> String? {
        let lower = address.prefix(8).lowercased()
        guard ["http://", "https://", "ftp://"].contains(where: lower.hasPrefix),
            address.unicodeScalars.allSatisfy({ $0.value > 0x20 && !isControl($0) })
        else { return nil }
        return address.unicodeScalars.map(\.escapedForMarkup).joined()
    }
}

// MARK: - JSON without a meaning in markup

extension HTMLText {
    /// Adds a block of data.
    mutating func block(_ part: String, _ value: JSONValue) {
        raw("<script type=\"application/json\" data-part=\"\(part)\">")
        inert(value)
        raw("</script>\n")
    }

    /// Adds a block with a list of items that are already inert.
    mutating func block(_ part: String, _ items: HTMLText) {
        raw("<script type=\"application/json\" data-part=\"\(part)\">[")
        raw(items.bytes)
        raw("]</script>\n")
    }

    /// Adds JSON that cannot end a block or begin markup. Outside of texts, JSON has none of these
    /// characters. In texts, their numbers replace them.
    mutating func inert(_ value: JSONValue) {
        let json = value.encoded()
        bytes.reserveCapacity(bytes.count + json.count)
        var index = 0
        while index < json.count {
            let byte = json[index]
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
                raw("\\u00" + hexadecimal(byte))
            case 0xE2 where json[index...].starts(with: [0xE2, 0x80, 0xA8]):
                raw("\\u2028")
                index += 2
            case 0xE2 where json[index...].starts(with: [0xE2, 0x80, 0xA9]):
                raw("\\u2029")
                index += 2
            default: bytes.append(byte)
            }
            index += 1
        }
    }
}

extension Timestamp {
    /// The time as text, such as `2026-01-31 12:00 UTC`.
    var inWords: String {
        let moment = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
        let text = moment.formatted(
            .iso8601.year().month().day().dateTimeSeparator(.space).time(
                includingFractionalSeconds: false))
        return text.prefix(16) + " UTC"
    }
}
