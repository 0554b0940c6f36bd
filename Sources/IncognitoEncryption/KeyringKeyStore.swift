public import BrowserSessions
internal import CPlatform
public import StorageEngines

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps keys in the user's keyring in the Linux kernel. They survive the end of the program,
/// including a kill, never touch the disk, and are gone after a restart of the system.
///
/// Kernels before 5.3 drop the keyring with the user's last process. Containers often forbid the
/// keyring, and one with a user namespace has its own. A store that several namespaces open needs
/// another key store, or its incognito partition is available in only one of them.
public struct KeyringKeyStore: IncognitoKeyStore {
    /// The name of this key store in sealed partitions and in `incognitoKeys`: `keyring`.
    public static let name = KeyringKeys.storeName

    public var name: String { Self.name }
    public var survives: Durability { .processCrash }
    public var keepsKeysInStore: Bool { false }

    /// The start of the system. Without the kernel's name for it, a missing key counts as lost.
    public var keyScope: String? {
        let file = try? PosixFile(opening: "/proc/sys/kernel/random/boot_id", flags: O_RDONLY)
        guard let bytes = try? file?.read(64, at: 0) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        return text.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    /// Creates a key store without checking that the keyring can be used; see ``isUsable``.
    public init() {}

    /// Whether keys can be kept; adds and reads one to find out.
    public static var isUsable: Bool { problem == nil }

    /// Why keys cannot be kept; `nil` if they can.
    ///
    /// The test key always has the same name and expires by itself, so that a program that is
    /// killed here, again and again, leaves nothing behind for long.
    public static var problem: String? {
        let sample = SecretBytes(copying: [UInt8](probeName.utf8))
        do throws(StorageError) {
            let number = try add(sample, probeName)
            guard platform_key_expire(number, 60) == 0 else {
                throw error("limit the time of a key in", platform_errno())
            }
            let found = try find(probeName).flatMap { number throws(StorageError) in
                try read(number)
            }
            return found == sample ? nil : "a key that was added is not found"
        } catch { return error.message }
    }

    private static let probeName = KeyringKeys.prefix + "trial"

    public func save(_ key: SecretBytes, for id: IncognitoKeyID, of store: (any FileDirectory)?)
        throws(StorageError)
    {
        _ = try Self.add(key, Self.description(of: id))
    }

    public func key(for id: IncognitoKeyID, of store: (any FileDirectory)?) throws(StorageError)
        -> SecretBytes?
    {
        guard let number = try Self.find(Self.description(of: id)) else { return nil }
        return try Self.read(number)
    }

    public func destroy(_ id: IncognitoKeyID, of store: (any FileDirectory)?) throws(StorageError) {
        guard let number = try Self.find(Self.description(of: id)),
            platform_key_remove(number) != 0
        else { return }
        let reason = platform_errno()
        if platform_key_is_absent(reason) == 0 { throw Self.error("remove a key from", reason) }
    }

    private static func description(of id: IncognitoKeyID) -> String {
        KeyringKeys.prefix + "\(id)"
    }

    // MARK: Keys by their description

    private static func add(_ key: SecretBytes, _ description: String) throws(StorageError) -> Int {
        let number = key.withUnsafeBytes {
            platform_key_add(description, $0.baseAddress, $0.count)
        }
        guard number < 0 else { return number }
        let reason = platform_errno()
        guard reason == EDQUOT else { throw Self.error("add a key to", reason) }
        throw StorageError(
            .outOfSpace,
            """
            the user's keyring in the kernel is full: remove keys (keyctl show @u), raise \
            /proc/sys/kernel/keys/maxkeys, or set the option 'incognitoKeys' to 'file'
            """)
    }

    private static func find(_ description: String) throws(StorageError) -> Int? {
        let number = platform_key_find(description)
        if number >= 0 { return number }
        let reason = platform_errno()
        if platform_key_is_absent(reason) != 0 { return nil }
        throw Self.error("search", reason)
    }

    private static func read(_ number: Int) throws(StorageError) -> SecretBytes? {
        var count = 0
        let bytes = SecretBytes(capacity: KeyringKeys.maximumBytes) { memory in
            count = platform_key_read(number, memory.baseAddress, memory.count)
            return count
        }
        if count < 0 {
            let reason = platform_errno()
            if platform_key_is_absent(reason) != 0 { return nil }
            throw Self.error("read a key of", reason)
        }
        return bytes
    }

    private static func error(_ operation: String, _ number: Int32) -> StorageError {
        let reason = String(cString: strerror(number))
        return StorageError(
            number == EPERM || number == EACCES ? .permissionDenied : .failed,
            "cannot \(operation) the user's keyring in the kernel: \(reason)")
    }
}
