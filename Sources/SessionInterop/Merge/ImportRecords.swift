import BrowserSessions

/// The records that a store keeps of its imports: sessions of the kind `notes-import` in each
/// partition, which are in no list and no export.
///
/// Windows that were imported together are noted in one text, which is split into records of bounded
/// size. Each record has its part number and the number of parts, so that a lost part is detected.
struct ImportRecords {
    /// A text that is read and written as a whole.
    private struct Unit {
        var origin: ImportOrigin
        var windows: [SessionID] = []
        /// The number of noted windows and tabs.
        var size = 0
        var partCount = 0
    }

    private struct Entry {
        var noted: NotedWindow
        var unit: SessionID
        /// The position in the order of noting.
        var number: Int
    }

    private var units: [SessionID: Unit] = [:]
    /// The windows by their session in the store.
    private var windows: [SessionID: Entry] = [:]
    private var nextNumber = 0
    private var changed: Set<SessionID> = []
    /// The records that could not be read and are given up.
    private var unreadable: [SessionID] = []
    /// The unit for new windows, by partition.
    private var open: [StoragePartition: SessionID] = [:]

    /// The number of noted tabs and windows in a unit after which the next one begins.
    private static let unitSize = 250
    /// The maximum size in bytes of the text in one record.
    private static let partBytes = 128 << 10

    private enum Name {
        static let version = "import"
        static let format = "format"
        static let place = "place"
        static let profile = "profile"
        static let unit = "unit"
        static let part = "part"
        static let parts = "parts"
        static let text = "text"
    }

    static func kind(_ partition: StoragePartition) -> SessionKind {
        partition == .regular ? "notes-import" : "incognito-notes-import"
    }

    /// The noted windows, in the order of noting.
    var all: [NotedWindow] { windows.values.sorted { $0.number < $1.number }.map(\.noted) }

    func holds(_ session: SessionID) -> Bool { windows[session] != nil }

    // MARK: Changing

    /// Notes a window. Replaces any notes about the same session.
    mutating func note(_ window: NotedWindow, insteadOf old: SessionID? = nil) {
        if let old, old != window.ours { forget(old) }
        if let there = windows[window.ours] {
            guard there.noted != window else { return }
            if there.noted.origin == window.origin {
                windows[window.ours]?.noted = window
                changed.insert(there.unit)
                return
            }
            forget(window.ours)
        }
        let unit = unit(for: window)
        insert(window, in: unit)
        changed.insert(unit)
    }

    private mutating func insert(_ window: NotedWindow, in unit: SessionID) {
        windows[window.ours] = Entry(noted: window, unit: unit, number: nextNumber)
        nextNumber += 1
        units[unit]?.windows.append(window.ours)
        units[unit]?.size += 1 + window.tabs.count
    }

    /// Removes the notes about a session.
    mutating func forget(_ session: SessionID) {
        guard let there = windows.removeValue(forKey: session) else { return }
        units[there.unit]?.windows.removeAll { $0 == session }
        changed.insert(there.unit)
    }

    private mutating func unit(for window: NotedWindow) -> SessionID {
        let partition = window.ours.partition
        if let id = open[partition], let unit = units[id], unit.origin == window.origin,
            unit.size < Self.unitSize
        {
            return id
        }
        var id = SessionID(
            window: window.ours.window.again(0, in: "import record"), kind: Self.kind(partition))
        while units[id] != nil { id.window = id.window.again(0, in: "import record") }
        units[id] = Unit(origin: window.origin)
        open[partition] = id
        return id
    }

    // MARK: Writing

    /// Returns the changes that save these notes. Later calls return only what has changed since.
    mutating func takeChanges(_ partition: StoragePartition) -> [SessionChanges.Change] {
        var changes: [SessionChanges.Change] = []
        for id in unreadable where id.partition == partition { changes.append(.remove(id)) }
        unreadable.removeAll { $0.partition == partition }
        for id in changed.sorted() where id.partition == partition {
            changed.remove(id)
            changes += write(id)
        }
        return changes
    }

    private mutating func write(_ id: SessionID) -> [SessionChanges.Change] {
        guard let unit = units[id] else { return [] }
        var texts: [String] = []
        var text = ""
        for line in unit.windows.compactMap({ windows[$0]?.noted }).flatMap(\.lines) {
            if text.utf8.count + line.utf8.count > Self.partBytes {
                texts.append(text)
                text = ""
            }
            text += line + "\n"
        }
        if !text.isEmpty { texts.append(text) }
        var changes: [SessionChanges.Change] = []
        for (number, text) in texts.enumerated() {
            let properties = [
                Name.version: "1", Name.format: unit.origin.format,
                Name.place: unit.origin.place, Name.profile: unit.origin.profile,
                Name.unit: "\(id.window)",
                Name.part: "\(number)", Name.parts: "\(texts.count)", Name.text: text,
            ]
            changes.append(
                .put(.session(part(number, of: id), SessionAttributes(properties: properties))))
        }
        for number in texts.count..<max(unit.partCount, texts.count) {
            changes.append(.remove(part(number, of: id)))
        }
        units[id] = texts.isEmpty ? nil : unit
        units[id]?.partCount = texts.count
        if open[id.partition] == id, texts.isEmpty { open[id.partition] = nil }
        return changes
    }

    private func part(_ number: Int, of unit: SessionID) -> SessionID {
        guard number > 0 else { return unit }
        return SessionID(window: unit.window.again(number, in: "part"), kind: unit.kind)
    }
}

// MARK: - Reading

extension ImportRecords {
    /// Reads the records of some partitions.
    ///
    /// Throws `corrupted` if one of them cannot be read, and `incompatibleFormat` if one is from a
    /// newer version.
    ///
    /// - Parameter givesUp: Whether unreadable records are removed with the first save instead.
    static func read(
        _ storage: any SessionStorage, partitions: Set<StoragePartition>,
        givingUpUnreadable givesUp: Bool
    ) async throws(StorageError) -> ImportRecords {
        var records = ImportRecords()
        let ids = try await storage.sessions().filter {
            partitions.contains($0.partition) && $0.kind == kind($0.partition)
        }
        var parts: [SessionID: [Int: SessionAttributes]] = [:]
        for id in ids {
            guard let part = try await readablePart(id, in: storage),
                let unit = part.properties[Name.unit].flatMap({ WindowID($0) }),
                let number = part.properties[Name.part].flatMap({ Int($0) })
            else {
                records.unreadable.append(id)
                continue
            }
            parts[SessionID(window: unit, kind: id.kind), default: [:]][number] = part
        }
        for (id, parts) in parts.sorted(by: { $0.key < $1.key }) where !records.add(id, parts) {
            records.unreadable += parts.keys.map { records.part($0, of: id) }
        }
        let count = records.unreadable.count
        guard givesUp || count == 0 else {
            throw StorageError(
                .corrupted,
                """
                \(count == 1 ? "a record" : "\(count) records") of earlier imports cannot be read, \
                so which tabs are new and which were closed here is not known; nothing was \
                imported. Repair the store and import again; if that does not help, import as \
                additions (--add) or as a replacement (--replace), which gives the record up
                """, operation: "import")
        }
        return records
    }

    /// The number of records that could not be read.
    var unreadableCount: Int { unreadable.count }

    private static func readablePart(_ id: SessionID, in storage: any SessionStorage)
        async throws(StorageError) -> SessionAttributes?
    {
        let found: RestoredSession?
        do throws(StorageError) {
            found = try await storage.restore(id)
        } catch {
            guard error.code == .corrupted else { throw error }
            return nil
        }
        guard let found, found.provenance == .intact,
            let version = found.attributes.properties[Name.version]
        else { return nil }
        guard version == "1" else {
            throw StorageError(
                .incompatibleFormat,
                "a newer version has imported into this store; import with that version",
                operation: "import")
        }
        return found.attributes
    }

    private mutating func add(_ id: SessionID, _ parts: [Int: SessionAttributes]) -> Bool {
        let ordered = (0..<parts.count).compactMap { parts[$0]?.properties }
        guard let first = ordered.first, ordered.count == parts.count,
            ordered.allSatisfy({ $0[Name.parts] == String(parts.count) })
        else { return false }
        let origin = ImportOrigin(
            format: first[Name.format] ?? "", place: first[Name.place] ?? "",
            profile: first[Name.profile] ?? "")
        let text = ordered.map { $0[Name.text] ?? "" }.joined()
        guard let noted = NotedWindow.read(text, origin: origin), !noted.isEmpty,
            noted.allSatisfy({ windows[$0.ours] == nil && $0.ours.partition == id.partition })
        else { return false }
        units[id] = Unit(origin: origin, partCount: parts.count)
        for window in noted { insert(window, in: id) }
        return true
    }
}
