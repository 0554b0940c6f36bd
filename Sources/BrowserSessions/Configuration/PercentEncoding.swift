/// The percent escapes of URLs, and of paths in files of ours.
package enum PercentEncoding {
    /// Returns the bytes that a text stands for; `nil` for an incomplete escape.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit),
                let low = rest.popFirst().flatMap(digit)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Escapes everything but letters, digits, `-`, `.`, `_` and `/`, so that a `~` stays a name.
    package static func text(_ bytes: some Sequence<UInt8>, uppercase: Bool = true) -> String {
        var result = ""
        for byte in bytes {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 47, 95:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hexadecimal = String(byte, radix: 16, uppercase: uppercase)
                result += byte < 16 ? "%0" + hexadecimal : "%" + hexadecimal
            }
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}
