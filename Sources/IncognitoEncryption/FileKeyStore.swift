public import BrowserSessions
public import StorageEngines

/// Keeps the key in a file of the store directory, mode 0600. The key survives whatever the store
/// survives. This works everywhere and is the weakest choice.
///
/// A copy of the whole store can be read, even after the deletion. A medium that does not overwrite
/// bytes in place (flash, a copy-on-write file system) may keep the key's block for a while.
///
/// ```text
/// file := copy copy        copy := "BSK1" id:16 length:u32 key checksum:u32     (little-endian)
/// ```
/// One damaged copy loses nothing. If both are damaged, the key is not held; the partition then stays as it is,
/// since the file may be put back. When the key is
/// destroyed, the file is overwritten only if this key store made it: a file that has another name,
/// another owner, or more bytes than any key may belong to others, and only loses its name here.
public struct FileKeyStore: IncognitoKeyStore {
    /// The name of this key store in sealed partitions and in `incognitoKeys`: `file`.
    public static let name = "file"
    /// The name of the file in the store's directory: `incognito.key`.
    public static let fileName = "incognito.key"

    public var name: String { Self.name }
    public var survives: Durability { .powerLoss }
    public var keepsKeysInStore: Bool { true }

    private static let magic = [UInt8]("BSK1".utf8)
    private static let headLength = 24
    /// Larger than any file with a key.
    private static let sizeLimit = 1 << 16

    /// Creates a key store. It holds nothing itself: every call names the directory of its store.
    public init() {}

    public func save(_ key: SecretBytes, for id: IncognitoKeyID, of store: (any FileDirectory)?)
        throws(StorageError)
    {
        let store = try Self.require(store)
        try destroy(id, of: store)
        do throws(StorageError) {
            let file = try store.open(Self.fileName, mode: .new)
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
        let file = try store.open(Self.fileName, mode: .read)
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

    /// Overwrites the file; returns why that failed. A full copy-on-write file system is not a
    /// failure: it would keep the old block in any case until it is used again.
    private func overwrite(in store: any FileDirectory, count: Int) -> StorageError? {
        do throws(StorageError) {
            let file = try store.open(Self.fileName, mode: .overwrite)
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
        return SecretBytes(
            copying: key, after: head, before: key.withUnsafeBytes { checksum(head, $0) })
    }

    /// Returns `nil` if the bytes do not begin with a sound copy of that key.
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
