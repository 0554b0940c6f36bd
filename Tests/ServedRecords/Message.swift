/// What goes over the socket, both ways: fields one after another, numbers little-endian, texts and bytes
/// with their length before them.
struct Message {
    private(set) var bytes: [UInt8] = []

    /// A message was not what it should be.
    struct Malformed: Error {}

    mutating func put(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(_ byte: UInt8) { bytes.append(byte) }

    mutating func put(_ field: some Collection<UInt8>) {
        put(UInt64(field.count))
        bytes.append(contentsOf: field)
    }

    mutating func put(_ text: String) { put(Array(text.utf8)) }
}

/// Takes a message apart.
struct MessageReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    mutating func number() throws -> UInt64 {
        try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func byte() throws -> UInt8 { try take(1).first ?? 0 }

    mutating func field() throws -> [UInt8] {
        guard let count = Int(exactly: try number()) else { throw Message.Malformed() }
        return [UInt8](try take(count))
    }

    mutating func text() throws -> String { String(decoding: try field(), as: UTF8.self) }

    private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
        guard count <= bytes.count - place else { throw Message.Malformed() }
        defer { place += count }
        return bytes[place..<place + count]
    }
}

/// What a client asks.
enum Request: UInt8 {
    /// store, holder, owner, attempt → nothing
    case connect = 1
    /// space, namespace, key → 1 and the value, or 0
    case value
    /// space, namespace, prefix, 1 and the key to go on behind or 0 → records, each after a 1, then a 0;
    /// and 1 if there are more
    case scan
    /// namespace, then operations until the end → nothing
    case write
    /// namespace → nothing
    case destroy
    /// Lets the store go → nothing
    case release
    /// store: forgets it → nothing
    case forget
    /// store: lets others have it although somebody has → nothing
    case takeOver
}

/// How an answer begins.
enum Answer: UInt8 {
    case done = 1
    /// Somebody else has the store: the holder.
    case locked
    /// Somebody else has had the store meanwhile.
    case fenced
    /// What was asked makes no sense, or cannot be done: why.
    case refused
}
