import BrowserSessions
import Foundation

/// The text of a configuration file as keys and values, without their meaning.
struct ConfigurationFile {
    var path: String
    var members: [Member]

    /// A key of a mapping with its value, in file order.
    struct Member: Hashable {
        var key: String
        var line: Int?
        var value: Value
    }

    /// The value of a key. A mapping cannot contain another mapping.
    indirect enum Value: Hashable {
        case scalar(OptionValue)
        case mapping([Member])
    }

    /// The maximum size of a file; larger files are refused.
    static let maximumBytes = 1 << 20

    /// Reads a file with the extension `.json`, or `.yaml` or `.yml` with the trait `YAML`; or
    /// standard input, where the text shows its format.
    init(path: String) throws(StorageError) {
        self.path = path
        let source = SelectionSource.file(path: path)
        let isInput = path == SelectionSource.standardInput
        let name = path.split(separator: "/").last ?? ""
        let format = name.split(separator: ".", omittingEmptySubsequences: false).last
        guard isInput || ["json", "yaml", "yml"].contains(format) else {
            throw .selection(
                source, "a configuration file has a name that ends in .json, .yaml or .yml")
        }
        let text = try Self.text(of: path, from: source)
        guard let first = text.first(where: { !$0.isWhitespace }) else {
            throw .selection(source, isInput ? "standard input is empty" : "the file is empty")
        }
        if isInput ? first == "{" : format == "json" {
            var reader = JSONReader(text, path: path)
            members = try reader.document()
        } else {
            #if YAML
                members = try YAMLReader(path: path).document(text)
            #else
                throw .selection(
                    source,
                    "this program was built without YAML; write the file in JSON, or build with the"
                        + " trait YAML: .package(url: …, traits: [\"YAML\"])")
            #endif
        }
    }

    private static func text(of path: String, from source: SelectionSource) throws(StorageError)
        -> String
    {
        let data: Data
        do {
            data = try contents(of: path)
        } catch {
            throw unreadable(source, error)
        }
        guard data.count <= maximumBytes else {
            throw .selection(source, "the file has more than \(maximumBytes) bytes")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = data.starts(with: mark) ? data.dropFirst(mark.count) : data
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .selection(source, "the file is not UTF-8 text")
        }
        return text
    }

    /// Returns the contents of a file. Opens the path by its bytes, which need not be text, and
    /// reads only enough to detect a file that is too large, because a device can be endless.
    private static func contents(of path: String) throws -> Data {
        let number =
            path == SelectionSource.standardInput
            ? dup(0) : PathText.withCString(path) { open($0, O_RDONLY | O_CLOEXEC) }
        guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let file = FileHandle(fileDescriptor: number, closeOnDealloc: true)
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw POSIXError(.EISDIR)
        }
        var data = Data()
        while data.count <= maximumBytes,
            let piece = try file.read(upToCount: maximumBytes + 1 - data.count), !piece.isEmpty
        {
            data += piece
        }
        return data
    }

    private static func unreadable(_ source: SelectionSource, _ error: any Error) -> StorageError {
        let cause = (error as? POSIXError ?? (error as? CocoaError)?.underlying as? POSIXError)?
            .code
        var result = StorageError.selection(source, "the file cannot be read")
        result.underlying = error
        switch cause {
        case .ENOENT, .ENOTDIR: result.message = "\(source): there is no such file"
        case .EISDIR: result.message = "\(source): this is a directory, not a file"
        case .EACCES, .EPERM:
            result.code = .permissionDenied
            result.message = "\(source): the file's rights do not allow reading it"
        default: result.code = .failed
        }
        return result
    }
}

/// A builder of mappings that refuses what a configuration cannot use.
struct MappingBuilder {
    let path: String
    /// The keys that lead to the mapping.
    let parent: String
    private(set) var members: [ConfigurationFile.Member] = []
    private var places: [String: Int] = [:]

    init(path: String, parent: String = "") {
        self.path = path
        self.parent = parent
    }

    /// Returns the path of a key of this mapping, such as `options.durability`.
    func keyPath(_ key: String) -> String { parent.isEmpty ? key : "\(parent).\(key)" }

    func error(_ key: String, line: Int?, _ problem: String) -> StorageError {
        .selection(.file(path: path, key: keyPath(key), line: line), problem)
    }

    mutating func append(_ member: ConfigurationFile.Member) throws(StorageError) {
        if let first = places.updateValue(members.count, forKey: member.key) {
            let place = members[first].line.map { ", first in line \($0)" } ?? ""
            throw error(member.key, line: member.line, "the key is there twice" + place)
        }
        members.append(member)
    }

    /// Returns the value of a literal that is neither text, `true` nor `false`.
    func number(_ literal: some StringProtocol, key: String, line: Int?) throws(StorageError)
        -> OptionValue
    {
        let digits = literal.hasPrefix("-") ? literal.dropFirst() : literal[...]
        let isPlain = ByteCount.isPlain(String(literal)) && (digits == "0" || digits.first != "0")
        guard isPlain, let number = Int(literal) else {
            throw error(
                key, line: line, "not a whole number of 64 bits; put text in quotes")
        }
        return .integer(number)
    }
}
