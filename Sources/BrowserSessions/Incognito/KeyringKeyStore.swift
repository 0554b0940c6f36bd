import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps keys in the user's keyring in the Linux kernel: they survive the end of the program, by a
/// kill too, never touch the disk, and are gone when the system starts anew.
///
/// Kernels before 5.3 drop the keyring with the user's last process. Containers often forbid the
/// keyring, and one with a user namespace of its own has its own keyring: a store that several
/// namespaces open needs another key store.
public struct KeyringKeyStore: IncognitoKeyStore {
    /// `keyring`
    public static let name = "keyring"

    public var name: String { Self.name }
    public var survives: Durability { .processCrash }
    public var keepsKeysInStore: Bool { false }

    /// No key is longer.
    private static let maximumBytes = 1024

    public init() {}

    /// Whether keys can be kept: tries it by adding, reading and removing one.
    public static var isUsable: Bool { problem == nil }

    /// Why keys cannot be kept; `nil` if they can.
    public static var problem: String? {
        let (keyring, id) = (KeyringKeyStore(), IncognitoKeyID.random())
        let sample = IncognitoKeyID.random().bytes
        do throws(StorageError) {
            try keyring.save(sample, for: id, of: "")
            let found = try keyring.key(for: id, of: "")
            try keyring.destroy(id, of: "")
            guard found == sample else { return "a key that was added is not found" }
            let rest = try keyring.key(for: id, of: "")
            return rest == nil ? nil : "a key that was removed is still found"
        } catch { return error.message }
    }

    public func save(_ key: [UInt8], for id: IncognitoKeyID, of store: String)
        throws(StorageError)
    {
        let number = key.withUnsafeBytes {
            platform_key_add(Self.description(of: id), $0.baseAddress, $0.count)
        }
        guard number < 0 else { return }
        let reason = platform_errno()
        guard reason == EDQUOT else { throw Self.error("add a key to", reason) }
        throw StorageError(
            .outOfSpace,
            """
            the user's keyring in the kernel is full: remove keys (keyctl show @u), raise \
            /proc/sys/kernel/keys/maxkeys, or set the option 'incognitoKeys' to 'file'
            """)
    }

    public func key(for id: IncognitoKeyID, of store: String) throws(StorageError) -> [UInt8]? {
        guard let number = try find(id) else { return nil }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.maximumBytes) { buffer, filled in
            count = platform_key_read(number, buffer.baseAddress, buffer.count)
            filled = max(0, min(count, buffer.count))
        }
        if count < 0 {
            let reason = platform_errno()
            if platform_key_is_absent(reason) != 0 { return nil }
            throw Self.error("read a key of", reason)
        }
        return bytes
    }

    public func destroy(_ id: IncognitoKeyID, of store: String) throws(StorageError) {
        guard let number = try find(id), platform_key_remove(number) != 0 else { return }
        let reason = platform_errno()
        if platform_key_is_absent(reason) == 0 { throw Self.error("remove a key from", reason) }
    }

    private func find(_ id: IncognitoKeyID) throws(StorageError) -> Int? {
        let number = platform_key_find(Self.description(of: id))
        if number >= 0 { return number }
        let reason = platform_errno()
        if platform_key_is_absent(reason) != 0 { return nil }
        throw Self.error("search", reason)
    }

    private static func description(of id: IncognitoKeyID) -> String { "browser-sessions:\(id)" }

    private static func error(_ operation: String, _ number: Int32) -> StorageError {
        let reason = String(cString: strerror(number))
        return StorageError(
            number == EPERM || number == EACCES ? .permissionDenied : .failed,
            "cannot \(operation) the user's keyring in the kernel: \(reason)")
    }
}
