/// What an open incognito side is sealed with.
struct IncognitoSeal: Sendable {
    var sealer: any IncognitoSealer
    var traits: StorageTraits.Sealing
}

/// Turns records into sealed ones and back, so that an engine sees nothing else of the incognito side.
///
/// ```text
/// key on disk   := pseudonym of (space:u8 key)
/// value on disk := sealed (keyLength:u32 key value), bound to (space:u8 pseudonym)
/// ```
/// Names, places and contents of sessions are in no file; how many records there are, and how
/// long, can be seen. Sides being repaired pass through here too.
struct SealedRecords: Sendable {
    let sealer: any IncognitoSealer

    /// A record in the clear.
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
        var plain: [UInt8] = []
        plain.reserveCapacity(4 + key.count + value.count)
        withUnsafeBytes(of: UInt32(key.count).littleEndian) { plain.append(contentsOf: $0) }
        plain += key
        plain += value
        return try sealer.seal(plain, binding: [space.rawValue] + pseudonym)
    }

    /// Throws ``StorageError/Code/corrupted`` if the record was changed or put elsewhere.
    func open(_ sealed: [UInt8], as pseudonym: [UInt8], in space: KeySpace) throws -> Record {
        let plain = try sealer.open(sealed, binding: [space.rawValue] + pseudonym)
        let length = plain.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard plain.count >= 4, length <= plain.count - 4 else {
            throw StorageError(.corrupted, "a sealed record has no key")
        }
        return Record(key: [UInt8](plain[4..<4 + length]), value: [UInt8](plain[(4 + length)...]))
    }

    /// Visits the records in the clear that a visit of sealed ones brings up.
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

    /// `nil` if the record is damaged.
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
