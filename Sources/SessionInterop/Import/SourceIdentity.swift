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
        base = SHA256().adding(["browser-sessions import 1", format.rawValue, key])
    }

    /// Creates the identity of a file from its content.
    init(_ format: SessionFormat, content: [UInt8]) {
        self.init(format, key: SHA256.digest(of: content).map { hexadecimal($0) }.joined())
    }

    func identifier<Subject>(_ parts: String...) -> Identifier<Subject> {
        Identifier(digest: base.adding(parts).digest())
    }
}

extension Identifier {
    /// Creates a version 8 UUID from the first 128 bits of a digest.
    fileprivate init(digest: [UInt8]) {
        self.init(
            high: digest.prefix(8).bigEndian & 0xFFFF_FFFF_FFFF_0FFF | 0x8000,
            low: digest.dropFirst(8).prefix(8).bigEndian & 0x3FFF_FFFF_FFFF_FFFF
                | 0x8000_0000_0000_0000)
    }

    /// Returns the identifier for another item that came with the same identifier.
    func again(_ occurrence: Int, in place: String) -> Self {
        let parts = ["browser-sessions again 1", description, String(occurrence), place]
        return Self(digest: SHA256().adding(parts).digest())
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
    /// Returns the hash with texts added, each with its length, so that adjacent texts stay distinct.
    fileprivate func adding(_ parts: [String]) -> SHA256 {
        var hash = self
        for part in parts {
            hash.update(withUnsafeBytes(of: UInt64(part.utf8.count).bigEndian) { [UInt8]($0) })
            hash.update([UInt8](part.utf8))
        }
        return hash
    }
}

extension Sequence where Element == UInt8 {
    /// The number that the bytes are, most significant first.
    var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Returns a byte as two lowercase hexadecimal digits.
func hexadecimal(_ byte: UInt8) -> String {
    byte < 16 ? "0" + String(byte, radix: 16) : String(byte, radix: 16)
}
