internal import CPlatform

/// The keys of stores in the user's keyring in the kernel.
package enum KeyringKeys {
    /// The name of their key store.
    package static let storeName = "keyring"

    /// What the names of all these keys begin with; the identifier of the key follows.
    package static let prefix = "browser-sessions:"

    /// The length of the longest key with its location.
    package static let maximumBytes = 8192

    /// Removes the keys of stores that a test or a suite put into a folder, and which end with it: nothing
    /// else would remove them before the system restarts.
    ///
    /// - Parameter path: the folder; keys of stores beside it stay.
    /// - Returns: the number of keys; 0 where there is no keyring.
    @discardableResult
    package static func remove(ofStoresAt path: String) -> Int {
        let location = (try? PosixFileSystem().realPath(of: path)) ?? path
        guard location.hasPrefix("/"), location != "/" else { return 0 }
        var count = 0
        // One piece of locked memory for all keys: the keyring may hold thousands.
        _ = SecretBytes(capacity: maximumBytes) { memory in
            count = numbers().count { number in
                guard isKey(number), let store = self.location(of: number, memory),
                    store == location || store.hasPrefix(location + "/")
                else { return false }
                return platform_key_remove(number) == 0
            }
            return 0
        }
        return count
    }

    /// The numbers of all keys in the keyring. Others may add some at any time, and nothing is read into
    /// memory that is too short.
    private static func numbers() -> [Int] {
        var numbers: [Int32] = []
        while true {
            let length = numbers.withUnsafeMutableBytes {
                platform_key_read(Int(PLATFORM_USER_KEYRING), $0.baseAddress, $0.count)
            }
            guard length > 0 else { return [] }
            let count = length / MemoryLayout<Int32>.size
            if count <= numbers.count { return numbers.prefix(count).map { Int($0) } }
            numbers = [Int32](repeating: 0, count: count + 16)
        }
    }

    private static func isKey(_ number: Int) -> Bool {
        var text = [CChar](repeating: 0, count: 256)
        let length = platform_key_describe(number, &text, text.count)
        // A longer one is not copied, and is not of these keys.
        guard length > 0, length <= text.count else { return false }
        text.removeLast(text.count - length + 1)
        let name = text.split(separator: CChar(UInt8(ascii: ";"))).last ?? []
        return name.map(UInt8.init(bitPattern:)).starts(with: prefix.utf8)
    }

    /// The location that is noted with a key, which is read into `memory`.
    private static func location(of number: Int, _ memory: UnsafeMutableRawBufferPointer)
        -> String?
    {
        let length = platform_key_read(number, memory.baseAddress, memory.count)
        guard length > 0, length <= memory.count else { return nil }
        return KeptKey.location(in: UnsafeRawBufferPointer(rebasing: memory[..<length]))
            .map { String(decoding: $0, as: UTF8.self) }
    }
}
