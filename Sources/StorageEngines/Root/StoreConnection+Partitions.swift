import BrowserSessions

/// The partitions of a connected store.
extension StoreConnection {
    private func name(_ partition: StoragePartition, _ number: StoredNumber) -> String {
        StoreRecord.name(partition, number)
    }

    /// All namespaces that the record names.
    var namespaces: [String] {
        record.removed + record.quarantine.map(\.namespace) + record.namespaces
    }

    func holds(_ partition: StoragePartition) -> Bool { record[partition].namespace > .zero }

    func open(_ partition: StoragePartition, wasClosed: Bool) throws -> any OrderedByteStore {
        if !holds(partition) {
            try edit { root throws(StorageError) in
                root[partition].namespace = try root[partition].nextNamespace()
            }
        }
        return NamespaceStore(name(partition, record[partition].namespace), of: self)
    }

    func salvage(_ partition: StoragePartition, _ visit: RecordVisitor) throws -> [String] {
        try NamespaceStore(name(partition, record[partition].namespace), of: self).visitAll(visit)
    }

    // MARK: Clean-close markers

    func mark(of partition: StoragePartition) -> CloseMarker? { record[partition].mark }

    func markClosed(_ partition: StoragePartition, _ token: String) throws(StorageError) {
        try edit { $0[partition].mark = CloseMarker(token: token, isLast: true) }
    }

    func markOpen(_ partition: StoragePartition) throws(StorageError) {
        guard record[partition].mark?.isLast == true else { return }
        try edit { $0[partition].mark?.isLast = false }
    }

    func forgetMark(of partition: StoragePartition) throws(StorageError) {
        if record[partition].mark != nil { try edit { $0[partition].mark = nil } }
    }

    // MARK: Repair

    func makeReplacement(_ partition: StoragePartition) throws -> any OrderedByteStore {
        try discardReplacement(partition)
        try edit { root throws(StorageError) in
            root[partition].repaired = try root[partition].nextNamespace()
        }
        return NamespaceStore(name(partition, record[partition].repaired), of: self)
    }

    func discardReplacement(_ partition: StoragePartition) throws(StorageError) {
        let number = record[partition].repaired
        guard number > .zero else { return }
        try use { try $0.destroy(name(partition, number)) }
        try edit { $0[partition].repaired = .zero }
    }

    func exchange(_ partition: StoragePartition, keepingReplaced report: [String]?)
        throws(StorageError)
    {
        let replaced = name(partition, record[partition].namespace)
        try edit { root in
            root[partition].namespace = root[partition].repaired
            root[partition].repaired = .zero
            if partition == .regular, let report {
                root.quarantine.append(item(replaced, "damaged-store", report))
            } else {
                root.removed.append(replaced)
            }
        }
        try destroyRemoved()
        try? ageQuarantine()
    }

    /// Destroys the namespaces that were given up. They are not used any more, so this may wait.
    func destroyRemoved() throws(StorageError) {
        guard !record.removed.isEmpty else { return }
        for name in record.removed {
            try use { connection in try connection.destroy(name) }
        }
        try edit { $0.removed = [] }
    }

    func finishInterruptedWork() throws(StorageError) {
        try destroyRemoved()
        for partition in StoragePartition.allCases { try discardReplacement(partition) }
        try? ageQuarantine()
    }

    // MARK: Quarantine

    private func item(_ namespace: String, _ reason: String, _ report: [String])
        -> StoreRecord.Quarantined
    {
        StoreRecord.Quarantined(
            namespace: namespace, time: environment.seconds,
            report: (["reason: \(reason)"] + report).joined(separator: "\n"))
    }

    func setAside(_ bytes: [UInt8], reason: String, _ report: [String]) throws(StorageError) {
        let number = environment.random()
        let name = "quarantine-\(String(number, radix: 16))"
        var batch = ByteBatch()
        batch.put(bytes, for: [UInt8]("records".utf8), in: .state)
        // Listed first: an unlisted namespace would never be removed.
        try edit { $0.quarantine.append(item(name, reason, report)) }
        try use { try $0.write(batch, to: name, durably: true) }
        try? ageQuarantine()
    }

    func quarantined() -> [String] { record.quarantine.map { "\(location)#\($0.namespace)" } }

    func quarantineItems() throws(StorageError) -> [QuarantinedItem] {
        let ages = quarantineAge
        var items: [QuarantinedItem] = []
        for kept in isReadOnly ? quarantineBefore : record.quarantine {
            var (bytes, records) = (0, [[UInt8]]())
            for space in KeySpace.allCases {
                try use { connection in
                    try connection.scan(space, of: kept.namespace, prefix: []) { _, value in
                        bytes += value.count
                        if bytes <= Quarantine.maximumBytes { records.append([UInt8](value)) }
                    }
                }
            }
            let left = max(0, Quarantine.maximumAge - ages.age(of: kept.namespace))
            items.append(
                QuarantinedItem(
                    name: kept.namespace, path: "\(location)#\(kept.namespace)", bytes: bytes,
                    records: records,
                    report: kept.report.split(separator: "\n").map(String.init),
                    left: kept.mark < 0 ? nil : .seconds(left)))
        }
        return items
    }

    func purgeQuarantine() throws(StorageError) { try removeQuarantined { _ in true } }

    private func ageQuarantine() throws(StorageError) {
        guard !record.quarantine.isEmpty else { return }
        let before = quarantineAge
        var ages = before
        ages.goOn(to: environment.seconds, items: record.quarantine.map(\.namespace))
        let kept = Set(record.quarantine.suffix(Quarantine.maximumItems).map(\.namespace))
        // Opening does not write only to update the seconds since the last opening.
        let isNews = ages.count - before.count >= 3600 || ages.seen < before.seen
        if isNews || ages.marks != before.marks {
            try edit { root in
                (root.quarantineCount, root.quarantineSeen) = (ages.count, ages.seen)
                for index in root.quarantine.indices {
                    root.quarantine[index].mark =
                        ages.marks[root.quarantine[index].namespace] ?? ages.count
                }
            }
        }
        let old = record.quarantine.map(\.namespace).filter {
            ages.age(of: $0) > Quarantine.maximumAge
        }
        let leaving = record.quarantine.map(\.namespace).filter {
            old.contains($0) || !kept.contains($0)
        }
        try removeQuarantined { leaving.contains($0.namespace) }
        removedFromQuarantine += leaving.map {
            Quarantine.sentence($0, isTooOld: old.contains($0))
        }
    }

    private var quarantineAge: QuarantineAge {
        let marks = record.quarantine.filter { $0.mark >= 0 }.map { ($0.namespace, $0.mark) }
        let seen = record.quarantineSeen > 0 ? record.quarantineSeen : environment.seconds
        return QuarantineAge(
            count: record.quarantineCount, seen: seen,
            marks: Dictionary(marks, uniquingKeysWith: { first, _ in first }))
    }

    private func removeQuarantined(_ isOver: (StoreRecord.Quarantined) -> Bool) throws(StorageError)
    {
        let names = record.quarantine.filter(isOver).map(\.namespace)
        guard !names.isEmpty else { return }
        try edit { root in
            root.quarantine.removeAll { names.contains($0.namespace) }
            root.removed += names
        }
        try destroyRemoved()
    }

    // MARK: Incognito

    func moveIncognitoAway() throws(StorageError) {
        let partition = record.incognito
        let names = [partition.namespace, partition.repaired].filter { $0 > .zero }.map {
            name(.incognito, $0)
        }
        guard !names.isEmpty || partition.mark != nil else { return }
        try edit { root in
            root.removed += names
            root.incognito = StoreRecord.Partition()
            root.incognito.lastNamespace = partition.lastNamespace
        }
    }

    func removeIncognitoRemains() throws(StorageError) { try destroyRemoved() }

    var directoryForKeys: (any FileDirectory)? { nil }

    /// Returns `nil`: the records are not copied as files.
    func keyLocation() -> KeyLocation? { nil }

    func exchangeResealed() throws(StorageError) {
        throw StorageError(.unsupported, "the store '\(location)' has no files that are copied")
    }

    func removeResealingDrafts() {}

    func setIncognitoAside(_ report: [String]) throws(StorageError) {
        let partition = record.incognito
        let headers = record.headers.sorted { $0.key < $1.key }
            .map { "\($0.key): \(String(decoding: $0.value.prefix(1024), as: UTF8.self))" }
        let all = report + headers
        try edit { root in
            if partition.namespace > .zero {
                let namespace = name(.incognito, partition.namespace)
                root.quarantine.append(item(namespace, ResealingFiles.unreadable, all))
            }
            root.incognito = StoreRecord.Partition()
            root.incognito.lastNamespace = partition.lastNamespace
            root.headers = [:]
        }
        try? ageQuarantine()
    }

    func removeIncognitoSetAside() throws(StorageError) {
        try removeQuarantined { $0.report.hasPrefix("reason: \(ResealingFiles.unreadable)\n") }
    }

    func header(_ name: String) -> [UInt8]? { record.headers[name] }

    func putHeader(_ name: String, _ bytes: [UInt8]) throws(StorageError) {
        try edit { $0.headers[name] = bytes }
    }

    func removeHeaders() throws(StorageError) {
        if !record.headers.isEmpty { try edit { $0.headers = [:] } }
    }

    func syncRemovals() {}
}
