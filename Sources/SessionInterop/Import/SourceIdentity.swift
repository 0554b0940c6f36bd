import BrowserSessions
import PlatformCrypto

/// The identity of a source. It derives identifiers, so that another import gives the same ones.
///
/// An identifier is the SHA-256 digest of the format, the source's key and the item's own ID, cut to
/// the form of a version 8 UUID. The key is the content of the file, or the name of the session
/// directory. It is never a path, so a file may be moved.
struct SourceIdentity {
    private let base: SHA256

    init(_ format: SessionFormat, key: String) {
        var base = SHA256()
        for part in ["browser-sessions import 1", format.rawValue, key] {
            base.update(part: part)
        }
        self.base = base
    }

    /// Creates the identity of a file from its content.
    init(_ format: SessionFormat, content: [UInt8]) {
        self.init(format, key: SHA256.digest(of: content).map { hexadecimal($0) }.joined())
    }

    func identifier<Subject>(_ parts: String...) -> Identifier<Subject> {
        var hash = base
        for part in parts { hash.update(part: part) }
        return Identifier(digest: hash.digest())
    }
}

extension Identifier {
    /// Creates a version 8 UUID from the first 128 bits of a digest.
    fileprivate init(digest: [UInt8]) {
        var words: (UInt64, UInt64) = (0, 0)
        for (index, byte) in digest.prefix(16).enumerated() {
            if index < 8 {
                words.0 = words.0 << 8 | UInt64(byte)
            } else {
                words.1 = words.1 << 8 | UInt64(byte)
            }
        }
        self.init(
            high: words.0 & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: words.1 & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// Returns the identifier for another item that came with the same identifier.
    func again(_ occurrence: Int, in place: String) -> Self {
        var hash = SHA256()
        for part in ["browser-sessions again 1", description, String(occurrence), place] {
            hash.update(part: part)
        }
        return Self(digest: hash.digest())
    }
}

extension Identifier {
    /// Returns the identifier or, if it is taken, the first one after it that is not.
    func free(from first: Int, in place: String, isTaken: (Self) -> Bool) -> Self {
        var (free, occurrence) = (self, first)
        while isTaken(free) {
            free = again(occurrence, in: place)
            occurrence += 1
        }
        return free
    }
}

extension SHA256 {
    /// Adds a text with its length, so that adjacent texts stay distinct.
    fileprivate mutating func update(part: String) {
        let utf8 = [UInt8](part.utf8)
        update(withUnsafeBytes(of: UInt64(utf8.count).bigEndian) { [UInt8]($0) })
        update(utf8)
    }
}

/// Returns a byte as two lowercase hexadecimal digits.
func hexadecimal(_ byte: UInt8) -> String {
    byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
}
