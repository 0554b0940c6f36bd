import BrowserSessions
import StorageEngines

/// Reads what is in a tar archive, without unpacking anything: one by POSIX, GNU tar (long names of type
/// "L", binary numbers), bsdtar or Python, or one without a magic number, of Unix Version 7.
///
/// What a header says is checked before it is believed: no member reaches beyond the archive, has a path
/// that leads out of the folder in which the archive is unpacked, or is a link, a device, or stored sparse.
struct TarReader {
    private let file: any OpenFile
    private let end: Int
    private var place = 0
    /// The pax records of all members from here on, and of the next one.
    private var globals: [String: [UInt8]] = [:]
    private var records: [String: [UInt8]] = [:]

    /// More than any system takes for a path.
    private static let largestText = 1 << 16

    init(_ file: any OpenFile) throws(StorageError) {
        (self.file, end) = (file, try file.size())
    }

    /// Returns all members, in order. Throws `incompatibleFormat`, and says why, if the file is no archive,
    /// is cut or damaged, has bytes behind its end, or a member that is refused.
    mutating func members() throws(StorageError) -> [TarMember] {
        var (members, paths): ([TarMember], Set<String>) = ([], [])
        while place < end {
            let header = try take(TarHeader.size)
            if header.allSatisfy({ $0 == 0 }) { break }
            guard Self.number(header[148..<156]) == TarHeader.checksum(header) else {
                throw Self.refused("the header before byte \(place) is none, or damaged")
            }
            guard let member = try member(header, Character(Unicode.Scalar(header[156]))) else {
                continue
            }
            guard member.isDirectory || paths.insert(member.path).inserted else {
                throw Self.refused("'\(member.path)' is in it twice")
            }
            members.append(member)
        }
        // Another archive may follow, which some programs unpack.
        while place < end {
            guard try take(min(1 << 20, end - place)).allSatisfy({ $0 == 0 }) else {
                throw Self.refused("there is something behind its end")
            }
        }
        return members
    }

    private static func refused(_ reason: String) -> StorageError {
        StorageError(.incompatibleFormat, reason, operation: "read archive")
    }

    /// Returns the member of a header; `nil` if that says something about the next one.
    private mutating func member(_ header: [UInt8], _ type: Character) throws(StorageError)
        -> TarMember?
    {
        var size = Self.number(header[124..<136])
        if !"xgLK".contains(type), let text = records["size"] {
            size = Int(String(decoding: text, as: UTF8.self))
        }
        // What some programs write there of a folder is no number of bytes that follow.
        if type == "5" { size = 0 }
        guard let size, size >= 0, size <= end - place else {
            throw Self.refused("it is cut, or a size in it is wrong")
        }
        defer { place = min(end, place + size + TarHeader.padding(after: size).count) }
        if "xgLK".contains(type) {
            try use(type, size)
            return nil
        }
        defer { records = globals }
        let bytes = records["path"] ?? Self.path(header)
        let path = try Self.checked(bytes)
        let isDirectory = type == "5" || "0\0".contains(type) && bytes.last == UInt8(ascii: "/")
        guard type != "S", !records.keys.contains(where: { $0.hasPrefix("GNU.sparse.") }) else {
            throw Self.refused("'\(path)' is stored sparse")
        }
        guard isDirectory || "0\07".contains(type) else {
            throw Self.refused("'\(path)' is a link or a device, of type '\(type)'")
        }
        return TarMember(path: path, isDirectory: isDirectory, size: size, offset: place)
    }

    /// Reads what a header says about the next member, or about all.
    private mutating func use(_ type: Character, _ size: Int) throws(StorageError) {
        guard size <= Self.largestText else { throw Self.refused("a name in it is too long") }
        let bytes = try file.read(size, at: place)
        switch type {
        case "L": records["path"] = Array(bytes.prefix { $0 != 0 })
        case "K": break
        default:
            let found = try Self.records(bytes)
            records.merge(found) { $1 }
            if type == "g" { globals.merge(found) { $1 } }
        }
    }

    private mutating func take(_ count: Int) throws(StorageError) -> [UInt8] {
        let bytes = try file.read(count, at: place)
        guard bytes.count == count else { throw Self.refused("it is cut") }
        place += count
        return bytes
    }

    // MARK: Headers

    private static func path(_ header: [UInt8]) -> [UInt8] {
        let name = header[..<100].prefix { $0 != 0 }
        // GNU tar, which writes a space after "ustar", has other things in place of a prefix.
        guard header[257..<263].elementsEqual("ustar\0".utf8), header[345] != 0 else {
            return Array(name)
        }
        return header[345..<500].prefix { $0 != 0 } + [UInt8(ascii: "/")] + name
    }

    private static func checked(_ bytes: [UInt8]) throws(StorageError) -> String {
        let path = PathText.text(bytes)
        let names = PathText.names(of: path).filter { $0 != "." }
        guard !PathText.isAbsolute(path), !names.contains(".."), !bytes.contains(0) else {
            throw refused("the path '\(path)' leads out of it")
        }
        return names.joined(separator: "/")
    }

    /// Returns a number that is octal, or binary with its first bit set; `nil` if there is none.
    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        guard let first = field.first, first & 0x80 != 0 else {
            let digits = field.drop { $0 == 32 }.prefix { $0 != 0 && $0 != 32 }
            return digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self), radix: 8)
        }
        return field.dropFirst().reduce(Optional(Int(first & 0x7F))) { value, byte in
            value.flatMap { $0 >> 54 == 0 ? $0 << 8 | Int(byte) : nil }
        }
    }

    /// Returns pax records by their keys.
    private static func records(_ bytes: [UInt8]) throws(StorageError) -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            let digits = rest.prefix { $0 != 32 }
            guard let count = Int(String(decoding: digits, as: UTF8.self)),
                count > digits.count + 2, count <= rest.count, rest.prefix(count).last == 10
            else { throw refused("a pax header in it is damaged") }
            let parts = rest.prefix(count - 1).dropFirst(digits.count + 1)
                .split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            found[String(decoding: parts[0], as: UTF8.self)] = Array(parts.last ?? [])
            rest = rest.dropFirst(count)
        }
        return found
    }
}
