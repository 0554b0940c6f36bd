public import BrowserSessions
public import StorageEngines

/// Keeps the key in a file of the store's directory, mode 0600: it survives whatever the store
/// survives, works everywhere, and is the weakest choice.
///
/// A copy of the whole store can be read, also after the deletion, and a medium that writes
/// elsewhere than over the old bytes (flash, a copy-on-write file system) may keep the key's block
/// for a while.
///
/// ```text
/// file := copy copy        copy := "BSK1" id:16 length:u32 key checksum:u32     (little-endian)
/// ```
/// One damaged copy loses nothing. If both are damaged, the key is not held. Only a file that this made is
/// overwritten when the key goes: what has another name, too, belongs to another user or is larger than any key
/// may be somebody else's, and loses its name here alone.
public struct FileKeyStore: IncognitoKeyStore {
    /// `file`
    public static let name = "file"
    /// The name of the file.
    public static let fileName = "incognito.key"

    public var name: String { Self.name }
    public var survives: Durability { .powerLoss }
    public var keepsKeysInStore: Bool { true }

    private static let magic = [UInt8]("BSK1".utf8)
    private static let headLength = 24
    /// No file with a key is as large.
    private static let sizeLimit = 1 << 16

    public init() {}

    public func save(_ key: SecretBytes, for id: IncognitoKeyID, of store: (any FileDirectory)?)
        throws(StorageError)
    {
        let store = try Self.require(store)
        try destroy(id, of: store)
        do throws(StorageError) {
            let file = try store.open(Self.fileName, .new)
            try Self.encoded(key, id).withUnsafeBytes { copy throws(StorageError) in
                try file.write(copy)
                try file.write(copy)
            }
            try file.syncData()
            try store.sync()
        } catch {
            try? destroy(id, of: store)
            throw error
        }
    }

    public func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) throws(StorageError)
        -> SecretBytes?
    {
        let store = try Self.require(store)
        guard let status = try store.status(of: Self.fileName) else { return nil }
        guard status.kind == .file, status.size < Self.sizeLimit else {
            throw StorageError(
                .unsafeLocation, "'\(store.path(of: Self.fileName))' is no file with a key")
        }
        let file = try store.open(Self.fileName, .read)
        let kept = try SecretBytes(capacity: status.size) { memory throws(StorageError) in
            try file.read(into: memory, at: 0)
        }
        return kept.withUnsafeBytes { bytes in
            let second = UnsafeRawBufferPointer(rebasing: bytes[(bytes.count / 2)...])
            return Self.decoded(bytes, id) ?? Self.decoded(second, id)
        }
    }

    public func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) throws(StorageError) {
        let store = try Self.require(store)
        guard let status = try store.status(of: Self.fileName) else { return }
        var failure: StorageError?
        if status.kind == .file, status.size < Self.sizeLimit, status.links == 1,
            status.owner == store.user
        {
            failure = overwrite(in: store, count: status.size)
        }
        try store.remove(Self.fileName)
        try store.sync()
        if let failure { throw failure }
    }

    private static func require(_ store: (any FileDirectory)?) throws(StorageError)
        -> any FileDirectory
    {
        if let store { return store }
        throw StorageError(
            .invalidConfiguration, "the store has no directory in which a key could be kept")
    }

    /// Returns why it was not possible. That a copy-on-write file system is full is no reason to
    /// complain: there the old block would stay in any case until it is used again.
    private func overwrite(in store: any FileDirectory, count: Int) -> StorageError? {
        do throws(StorageError) {
            let file = try store.open(Self.fileName, .overwrite)
            try file.write([UInt8](repeating: 0, count: count))
            try file.syncData()
            return nil
        } catch { return error.code == .outOfSpace ? nil : error }
    }

    private static func head(of id: IncognitoKeyID, keyCount: Int) -> [UInt8] {
        var bytes = magic + id.bytes
        withUnsafeBytes(of: UInt32(keyCount).littleEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    private static func checksum(_ head: [UInt8], _ key: UnsafeRawBufferPointer) -> [UInt8] {
        let checksum = CRC32C.masked(
            CRC32C.checksum(key, continuing: CRC32C.checksum(head)))
        return withUnsafeBytes(of: checksum.littleEndian) { [UInt8]($0) }
    }

    private static func encoded(_ key: SecretBytes, _ id: IncognitoKeyID) -> SecretBytes {
        let head = head(of: id, keyCount: key.count)
        return SecretBytes(head, key, key.withUnsafeBytes { checksum(head, $0) })
    }

    /// `nil` if the bytes do not begin with a sound copy of that key.
    private static func decoded(_ bytes: UnsafeRawBufferPointer, _ id: IncognitoKeyID)
        -> SecretBytes?
    {
        guard bytes.count >= headLength else { return nil }
        let length = bytes[(headLength - 4)..<headLength].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= bytes.count - headLength else { return nil }
        let key = UnsafeRawBufferPointer(rebasing: bytes[headLength...].prefix(length))
        let head = head(of: id, keyCount: length)
        guard bytes.starts(with: head),
            bytes[(headLength + length)...].starts(with: checksum(head, key))
        else { return nil }
        return SecretBytes(copying: key)
    }
}
