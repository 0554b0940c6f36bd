import BrowserSessions
import StorageEngines

/// A file or folder in a tar archive.
struct TarMember: Equatable, Sendable {
    /// Its relative path, without `.` and `..`.
    var path: String
    var isDirectory: Bool
    /// The size of a file in bytes. As nothing is compressed, no file has more than the archive.
    var size: Int
    /// Where its bytes begin in the archive.
    var offset = 0
}

/// A header of a tar archive, as POSIX has it: ustar, with pax headers for what does not fit.
///
/// ```text
/// member     header data
/// header     name:100 mode:8 uid:8 gid:8 size:12 time:12 checksum:8 type:1 link:100 "ustar\0" "00"
///            user:32 group:32 major:8 minor:8 prefix:155 0:12     numbers octal, with a zero at their end
/// type       "0" a file | "5" a folder | "x" pax records for the next member, "length key=value\n" each
/// data       as many bytes as the header says, and zeros up to a multiple of 512
/// end        two blocks of zeros
/// ```
struct TarHeader {
    static let size = 512

    private(set) var bytes = [UInt8](repeating: 0, count: size)
    /// The pax records of what does not fit.
    private(set) var records: [UInt8] = []

    init(_ type: Unicode.Scalar, path: [UInt8], size: Int) {
        bytes[156] = UInt8(ascii: type)
        put("ustar\u{0}00".utf8, 257)
        put(path.prefix(100), 0)
        if path.count > 100 { record("path", path) }
        put(octal: size, 124, 12, "size")
    }

    static func padding(after size: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: (Self.size - size % Self.size) % Self.size)
    }

    /// The sum of the bytes, with spaces in place of the sum itself.
    static func checksum(_ header: [UInt8]) -> Int {
        header.reduce(0) { $0 + Int($1) } + header[148..<156].reduce(0) { $0 + 32 - Int($1) }
    }

    var sealed: [UInt8] {
        var header = self
        header.put(octal: Self.checksum(bytes), 148, 8, "")
        return header.bytes
    }

    private mutating func put(_ part: some Collection<UInt8>, _ start: Int) {
        bytes.replaceSubrange(start..<start + part.count, with: part)
    }

    mutating func put(octal number: Int, _ start: Int, _ width: Int, _ key: String) {
        let digits = String(number, radix: 8)
        guard digits.count < width else { return record(key, Array("\(number)".utf8)) }
        put((String(repeating: "0", count: width - 1 - digits.count) + digits).utf8, start)
    }

    private mutating func record(_ key: String, _ value: [UInt8]) {
        let rest = [UInt8](" \(key)=".utf8) + value + [10]
        // The length counts its own digits.
        let digits = (1...9).first { "\(rest.count + $0)".count == $0 } ?? 0
        records += Array("\(rest.count + digits)".utf8) + rest
    }
}

/// Writes a tar archive.
struct TarWriter {
    private let file: any OpenFile
    private let user: UInt32
    private var offset = 0
    /// What was written.
    private(set) var members: [TarMember] = []

    /// - Parameter file: an empty file, for writing.
    /// - Parameter user: the user id of all members, and the group's.
    init(to file: any OpenFile, user: UInt32) { (self.file, self.user) = (file, user) }

    /// Adds a folder under a path, with all that is in it. Throws `unsupported` if that is a link or no
    /// file, and `cancelled` if the task was.
    mutating func add(_ directory: any FileDirectory, as path: String) throws(StorageError) {
        try begin(TarMember(path: path, isDirectory: true, size: 0), modified: 0)
        for name in try directory.names() {
            let status = try directory.status(of: name)
            switch status?.kind {
            case .directory: try add(try directory.directory(name), as: "\(path)/\(name)")
            case .file:
                let source = try directory.open(name, mode: .read)
                try add(source, as: "\(path)/\(name)", status?.modified ?? 0)
            default:
                throw StorageError(.unsupported, "'\(directory.path(of: name))' is no file to pack")
            }
        }
    }

    private mutating func add(_ source: any OpenFile, as path: String, _ modified: Int64)
        throws(StorageError)
    {
        let size = try source.size()
        try begin(TarMember(path: path, isDirectory: false, size: size), modified: modified)
        var place = 0
        while place < size {
            if Task.isCancelled { throw StorageError(.cancelled, "nothing more is packed") }
            let bytes = try source.read(min(1 << 20, size - place), at: place)
            if bytes.isEmpty { throw StorageError(.failed, "'\(path)' became shorter meanwhile") }
            try write(bytes)
            place += bytes.count
        }
        try write(TarHeader.padding(after: size))
    }

    /// Ends the archive.
    mutating func finish() throws(StorageError) {
        try write([UInt8](repeating: 0, count: 2 * TarHeader.size))
    }

    private mutating func write(_ bytes: [UInt8]) throws(StorageError) {
        try file.write(bytes)
        offset += bytes.count
    }

    /// Writes the headers of a member.
    private mutating func begin(_ member: TarMember, modified: Int64) throws(StorageError) {
        let path = PathText.bytes(member.path) + (member.isDirectory ? [UInt8(ascii: "/")] : [])
        var header = TarHeader(member.isDirectory ? "5" : "0", path: path, size: member.size)
        header.put(octal: member.isDirectory ? 0o700 : 0o600, 100, 8, "mode")
        header.put(octal: Int(user), 108, 8, "uid")
        header.put(octal: Int(user), 116, 8, "gid")
        header.put(octal: Int(max(0, modified)), 136, 12, "mtime")
        if !header.records.isEmpty {
            let name = Array("PaxHeaders/\(members.count)".utf8)
            try write(TarHeader("x", path: name, size: header.records.count).sealed)
            try write(header.records + TarHeader.padding(after: header.records.count))
        }
        try write(header.sealed)
        members.append(member)
        members[members.count - 1].offset = offset
    }
}
