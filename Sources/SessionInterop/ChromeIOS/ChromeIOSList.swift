import BrowserSessions

/// The content of `session_metadata.pb`, as far as it can be read, or the same content from an
/// archive.
struct ChromeIOSList {
    /// An item of the list.
    struct Item: Equatable {
        var message: ChromeIOSItem
        /// The values that only an archive holds; `nil` for an item of any other list.
        var archived: ChromeIOSArchivedTab?
    }

    static let fileName = "session_metadata.pb"

    /// The name of the file, for reports.
    var file = fileName
    var items: [Item] = []
    /// The index of the active item; -1 for none.
    var activeIndex: Int32 = 0
    var pinnedCount: Int32 = 0
    var groups: [ChromeIOSGroup] = []
    /// Whether there are signs that bytes are missing or changed, even if they can be parsed.
    /// Protobuf has no checksum, and a file that ends between two fields is valid.
    var isSuspicious = false

    /// Creates an empty list of another file.
    init(file: String) { self.file = file }

    init(_ bytes: [UInt8], _ limits: ImportLimits, _ log: inout ProblemLog) {
        guard !bytes.isEmpty else {
            isSuspicious = true
            return
        }
        let walk = WireFields(bytes[...], maximum: limits.maximumParts)
        for field in walk.fields { add(field, &log) }
        guard let failure = walk.failure else { return }
        isSuspicious = true
        log.loss(
            at: "\(Self.fileName), byte \(failure.offset)",
            "the list of tabs breaks off or is over the limit; what came before is used")
        if let partial = failure.partial, partial.number == 1 { add(partial, &log) }
    }

    /// Whether the list only says that no tab is open.
    var isEmpty: Bool { items.isEmpty && groups.isEmpty && activeIndex == -1 && pinnedCount == 0 }

    private mutating func add(_ field: WireFields.Field, _ log: inout ProblemLog) {
        let location = "\(Self.fileName), byte \(field.offset)"
        switch (field.number, field.value) {
        case (1, .bytes(let payload)):
            guard let message = item(payload, location, &log) else { return }
            items.append(Item(message: message))
        case (2, .varint(let value)): activeIndex = Int32(truncatingIfNeeded: value)
        case (3, .varint(let value)): pinnedCount = Int32(truncatingIfNeeded: value)
        case (4, .bytes(let payload)):
            if let group = ChromeIOSGroup(message: payload) {
                groups.append(group)
            } else {
                isSuspicious = true
                log.loss(at: location, "a group cannot be read; its tabs are kept without it")
            }
        default:
            isSuspicious = true
            log.note(at: location, "a field of unknown number \(field.number) was passed over")
        }
    }

    private mutating func item(
        _ payload: ArraySlice<UInt8>, _ location: String, _ log: inout ProblemLog
    ) -> ChromeIOSItem? {
        if let item = ChromeIOSItem(message: payload) {
            if item.hasUnknownFields {
                isSuspicious = true
                log.note(at: location, "an item has fields of unknown number")
            }
            return item
        }
        isSuspicious = true
        var item = ChromeIOSItem()
        let walk = WireFields(payload)
        for field in walk.fields + [walk.failure?.partial].compactMap({ $0 }) {
            switch (field.number, field.value) {
            case (1, .varint(let id)): item.identifier = Int32(truncatingIfNeeded: id)
            case (3, .bytes(let bytes)):
                item.metadata = ChromeIOSMetadata(message: bytes) ?? item.metadata
            default: break
            }
        }
        guard item.identifier > 0 || item.metadata != nil else {
            log.loss(at: location, "an item of the list cannot be read and is left out")
            return nil
        }
        log.loss(at: location, "an item of the list is damaged; the tab is kept without some of it")
        return item
    }
}
