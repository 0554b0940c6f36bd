extension TabMetadata {
    /// Returns the tab as message `TabMetadata` of records.proto, without its ID and position,
    /// which are in its record's key.
    public func encoded() -> [UInt8] { encodedPayload() }

    /// Reads ``encoded()``. Throws ``StorageError/Code/corrupted`` if the bytes do not follow the
    /// schema.
    public init(id: TabID, place: OrderKey, encoded bytes: UnsafeRawBufferPointer)
        throws(StorageError)
    {
        do {
            try self.init(id: id, place: place, payload: bytes)
        } catch {
            throw StorageError(
                .corrupted, "the tab is not in the format of records.proto",
                operation: "read tab", underlying: error)
        }
    }
}
