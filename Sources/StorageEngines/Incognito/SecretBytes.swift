import CPlatform

/// Secret bytes, such as a key.
///
/// They are in pages of their own, which are in no dump of the process and stay out of the swap
/// where the system allows that, and are overwritten when the last reference is released. Pass a
/// key on by reference: an array or a string of the bytes would stay in memory. While incognito
/// sessions are open, the crypto library holds what is derived from the key, and wipes that too.
public final class SecretBytes: Sendable {
    /// The number of bytes that were filled, which may be less than the capacity.
    public let count: Int
    private let capacity: Int
    /// The address of the bytes, which never change; a number, so that threads can share it.
    private let address: UInt

    /// Makes up to `capacity` bytes in place. Like Swift's own types, it ends the program if there
    /// is no memory.
    ///
    /// - Parameter capacity: the most that `fill` may write, in bytes.
    /// - Parameter fill: returns how many bytes it wrote; the others are zero.
    public init<Failure: Error>(
        capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        guard let start = platform_secret_new(capacity) else {
            fatalError("there is no memory for a key")
        }
        do throws(Failure) {
            let filled = try fill(UnsafeMutableRawBufferPointer(start: start, count: capacity))
            count = max(0, min(filled, capacity))
        } catch {
            platform_secret_free(start, capacity)
            throw error
        }
        self.capacity = capacity
        address = UInt(bitPattern: start)
    }

    /// Copies bytes; if they are secret, the caller overwrites the original.
    public convenience init(copying bytes: UnsafeRawBufferPointer) {
        self.init(capacity: bytes.count) { memory in
            platform_secret_copy(memory.baseAddress, bytes.baseAddress, bytes.count)
            return bytes.count
        }
    }

    /// Copies bytes that are not secret.
    public convenience init(copying bytes: [UInt8]) {
        self.init(capacity: bytes.count) { memory in
            memory.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// Makes secret bytes with other bytes around them.
    public convenience init(copying secret: SecretBytes, after head: [UInt8], before tail: [UInt8])
    {
        let count = head.count + secret.count + tail.count
        self.init(capacity: count) { memory in
            memory.copyBytes(from: head)
            secret.withUnsafeBytes { bytes in
                platform_secret_copy(
                    memory.baseAddress?.advanced(by: head.count), bytes.baseAddress, bytes.count)
            }
            UnsafeMutableRawBufferPointer(rebasing: memory[(count - tail.count)...])
                .copyBytes(from: tail)
            return count
        }
    }

    deinit {
        if let memory = UnsafeMutableRawPointer(bitPattern: address) {
            platform_secret_free(memory, capacity)
        }
    }

    /// Lends the bytes to a closure, which must not keep a copy.
    public func withUnsafeBytes<Success, Failure: Error>(
        _ work: (UnsafeRawBufferPointer) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        defer { withExtendedLifetime(self) {} }
        let memory = UnsafeRawPointer(bitPattern: address)
        return try work(UnsafeRawBufferPointer(start: memory, count: count))
    }
}

extension SecretBytes: Equatable {
    /// Compares in constant time, whatever the bytes are.
    public static func == (one: SecretBytes, other: SecretBytes) -> Bool {
        guard one.count == other.count else { return false }
        return one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
            }
        }
    }
}
