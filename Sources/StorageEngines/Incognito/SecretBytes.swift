import CPlatform

/// Bytes that no one else may see: a key.
///
/// They lie in pages of their own, which no dump of the process contains and which stay out of the swap
/// where the system allows that, and are overwritten when the last user lets them go. To pass a
/// key on is to pass the reference: an array or a string of the bytes would stay in memory after its end.
/// While incognito sessions are open, the crypto library holds what is derived from the key, and wipes that, too.
public final class SecretBytes: Sendable {
    public let count: Int
    private let capacity: Int
    /// Where the bytes are. A number, because threads do not share pointers; the bytes never change.
    private let address: UInt

    /// Bytes that are made in place, up to `capacity` of them. Like Swift's own types, it ends the program
    /// if there is no memory.
    ///
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

    /// A copy of bytes; if they are secret, their maker overwrites them.
    public convenience init(copying bytes: UnsafeRawBufferPointer) {
        self.init(capacity: bytes.count) { memory in
            platform_secret_copy(memory.baseAddress, bytes.baseAddress, bytes.count)
            return bytes.count
        }
    }

    /// The same, for bytes that are no secret.
    public convenience init(copying bytes: [UInt8]) {
        self.init(capacity: bytes.count) { memory in
            memory.copyBytes(from: bytes)
            return bytes.count
        }
    }

    /// Secret bytes with others around them.
    public convenience init(_ head: [UInt8], _ secret: SecretBytes, _ tail: [UInt8]) {
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

    /// Lends the bytes, which nothing may keep a copy of.
    public func withUnsafeBytes<Success, Failure: Error>(
        _ work: (UnsafeRawBufferPointer) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        defer { withExtendedLifetime(self) {} }
        let memory = UnsafeRawPointer(bitPattern: address)
        return try work(UnsafeRawBufferPointer(start: memory, count: count))
    }
}

extension SecretBytes: Equatable {
    /// Takes as long whatever the bytes are.
    public static func == (one: SecretBytes, other: SecretBytes) -> Bool {
        guard one.count == other.count else { return false }
        return one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in
                zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
            }
        }
    }
}
