import BrowserSessions

/// What seals an open incognito partition.
struct IncognitoSeal: Sendable {
    var sealer: any IncognitoSealer
    var traits: StorageTraits.Sealing
}

/// Seals and opens records, so that an engine sees only sealed records of the incognito partition.
///
/// ```text
/// key on disk   := pseudonym of (space:u8 key)
/// value on disk := sealed (keyLength:u32 valueLength:u32 key value zeros), bound to
///                  (space:u8 pseudonym)
/// ```
/// Zeros pad the length to one of a few: 256 bytes, or a larger length with all but its first few
/// bits rounded up, at most an eighth more. No file contains names, locations or contents of
/// sessions. The number of records, their approximate lengths and which of them change together can
/// be seen. Partitions under repair pass through here too.
struct SealedRecords: Sendable {
    let sealer: any IncognitoSealer

    /// An unencrypted record.
    struct Record {
        var key: [UInt8]
        var value: [UInt8]
    }

    func pseudonym(of key: [UInt8], in space: KeySpace) throws -> [UInt8] {
        try sealer.pseudonym(of: [space.rawValue] + key)
    }

    func seal(_ value: [UInt8], for key: [UInt8], in space: KeySpace, as pseudonym: [UInt8])
        throws -> [UInt8]
    {
        let length = Self.paddedLength(Self.headLength + key.count + value.count)
        var plain: [UInt8] = []
        plain.reserveCapacity(length)
        for count in [key.count, value.count] {
            withUnsafeBytes(of: UInt32(count).littleEndian) { plain.append(contentsOf: $0) }
        }
        plain += key
        plain += value
        plain += repeatElement(0, count: length - plain.count)
        return try sealer.seal(plain, binding: [space.rawValue] + pseudonym)
    }

    /// Throws `StorageError.Code.corrupted` if the record was changed or moved to another key.
    func open(_ sealed: [UInt8], as pseudonym: [UInt8], in space: KeySpace) throws -> Record {
        let plain = try sealer.open(sealed, binding: [space.rawValue] + pseudonym)
        func count(_ place: Int) -> Int {
            plain[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard plain.count >= Self.headLength, count(0) + count(4) <= plain.count - Self.headLength
        else { throw StorageError(.corrupted, "a sealed record has no key") }
        let key = plain[Self.headLength...].prefix(count(0))
        return Record(
            key: [UInt8](key), value: [UInt8](plain[key.endIndex...].prefix(count(4))))
    }

    private static let headLength = 8

    /// Returns the next padded length. Above 256 bytes a length of `n` bits keeps about its first
    /// `log2(n)` bits: the Padmé scheme, which reveals little and costs at most an eighth.
    static func paddedLength(_ length: Int) -> Int {
        guard length > 256 else { return 256 }
        let exponent = Int.bitWidth - 1 - length.leadingZeroBitCount
        let kept = Int.bitWidth - exponent.leadingZeroBitCount
        let mask = (1 << (exponent - kept)) - 1
        return (length + mask) & ~mask
    }

    /// Returns a number as text that cannot be read without the key.
    func sealedText(of number: StoredNumber) throws -> String {
        let bytes = withUnsafeBytes(of: number.value.littleEndian) { [UInt8]($0) }
        return try sealer.seal(bytes, binding: Self.numberBinding)
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns `nil` if the text was not made by ``sealedText(of:)``.
    func number(in text: String) -> StoredNumber? {
        let digits = Array(text)
        guard digits.count.isMultiple(of: 2) else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        guard let plain = try? sealer.open(bytes, binding: Self.numberBinding), plain.count == 8
        else { return nil }
        return StoredNumber(plain.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }

    private static let numberBinding = [UInt8]("mark".utf8)

    /// Visits the opened records of a source of sealed ones.
    func salvage(_ visit: RecordVisitor, _ sealed: @escaping RecordSource) throws -> [String] {
        var unreadable = 0
        let notes = try sealed { space, pseudonym, sealed in
            guard let record = try openIfSound(space, pseudonym, sealed) else {
                unreadable += 1
                return
            }
            try record.key.withUnsafeBytes { key in
                try record.value.withUnsafeBytes { try visit(space, key, $0) }
            }
        }
        return unreadable == 0 ? notes : notes + ["\(unreadable) sealed records do not open"]
    }

    /// Returns `nil` if the record is damaged.
    func openIfSound(
        _ space: KeySpace, _ pseudonym: UnsafeRawBufferPointer, _ sealed: UnsafeRawBufferPointer
    ) throws -> Record? {
        do {
            return try open([UInt8](sealed), as: [UInt8](pseudonym), in: space)
        } catch let error as StorageError {
            guard error.code == .corrupted else { throw error }
            return nil
        }
    }
}
