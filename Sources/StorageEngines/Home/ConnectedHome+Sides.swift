import BrowserSessions

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The sides of a connected store.
extension ConnectedHome {
    private func name(_ side: StorageSide, _ number: StoredNumber) -> String {
        HomeRecord.name(side, number)
    }

    /// All that the record names.
    var partitions: [String] {
        record.removed + record.quarantine.map(\.partition) + record.partitions
    }

    func holds(_ side: StorageSide) -> Bool { record[side].partition > .zero }

    func open(_ side: StorageSide, wasClosed: Bool) throws -> any OrderedByteStore {
        if !holds(side) {
            try edit { home throws(StorageError) in
                home[side].partition = try home[side].nextPartition()
            }
        }
        return ConnectedStore(name(side, record[side].partition), of: self)
    }

    func salvage(_ side: StorageSide, _ visit: RecordVisitor) throws -> [String] {
        try ConnectedStore(name(side, record[side].partition), of: self).visitAll(visit)
    }

    // MARK: How far a side came

    func mark(of side: StorageSide) -> CloseMark? { record[side].mark }

    func markClosed(_ side: StorageSide, _ word: String) throws(StorageError) {
        try edit { $0[side].mark = CloseMark(word: word, isLast: true) }
    }

    func markOpen(_ side: StorageSide) throws(StorageError) {
        guard record[side].mark?.isLast == true else { return }
        try edit { $0[side].mark?.isLast = false }
    }

    func forgetMark(of side: StorageSide) throws(StorageError) {
        if record[side].mark != nil { try edit { $0[side].mark = nil } }
    }

    // MARK: Repair

    func openRepaired(_ side: StorageSide) throws -> any OrderedByteStore {
        try discardRepaired(side)
        try edit { home throws(StorageError) in
            home[side].repaired = try home[side].nextPartition()
        }
        return ConnectedStore(name(side, record[side].repaired), of: self)
    }

    func discardRepaired(_ side: StorageSide) throws(StorageError) {
        let number = record[side].repaired
        guard number > .zero else { return }
        try use { try $0.destroy(name(side, number)) }
        try edit { $0[side].repaired = .zero }
    }

    func exchange(_ side: StorageSide, keepingReplaced report: [String]?) throws(StorageError) {
        let replaced = name(side, record[side].partition)
        try edit { home in
            home[side].partition = home[side].repaired
            home[side].repaired = .zero
            if side == .regular, let report {
                home.quarantine.append(item(replaced, "damaged-store", report))
            } else {
                home.removed.append(replaced)
            }
        }
        try destroyRemoved()
        try? ageQuarantine()
    }

    /// Destroys the partitions that were given up. Nobody looks for them any more, so they may wait.
    func destroyRemoved() throws(StorageError) {
        guard !record.removed.isEmpty else { return }
        for name in record.removed {
            try use { connection in try connection.destroy(name) }
        }
        try edit { $0.removed = [] }
    }

    func finishInterruptedWork() throws(StorageError) {
        try destroyRemoved()
        for side in StorageSide.allCases { try discardRepaired(side) }
        try? ageQuarantine()
    }

    // MARK: Quarantine

    private func item(_ partition: String, _ reason: String, _ report: [String])
        -> HomeRecord.Quarantined
    {
        HomeRecord.Quarantined(
            partition: partition, time: environment.seconds,
            report: (["reason: \(reason)"] + report).joined(separator: "\n"))
    }

    func setAside(_ bytes: [UInt8], reason: String, _ report: [String]) throws(StorageError) {
        let number = environment.random()
        let name = "quarantine-\(String(number, radix: 16))"
        var batch = ByteBatch()
        batch.put(bytes, for: [UInt8]("records".utf8), in: .state)
        // Listed first: what nobody lists would never be removed.
        try edit { $0.quarantine.append(item(name, reason, report)) }
        try use { try $0.write(batch, to: name, durably: true) }
        try? ageQuarantine()
    }

    func quarantined() -> [String] { record.quarantine.map { "\(place)#\($0.partition)" } }

    func purgeQuarantine() throws(StorageError) { try removeQuarantined { _ in true } }

    private func ageQuarantine() throws(StorageError) {
        guard !record.quarantine.isEmpty else { return }
        let before = quarantineAge
        var ages = before
        ages.goOn(to: environment.seconds, items: record.quarantine.map(\.partition))
        let kept = Set(record.quarantine.suffix(Quarantine.maximumItems).map(\.partition))
        // An opening writes nothing for the seconds since the last one.
        let isNews = ages.count - before.count >= 3600 || ages.seen < before.seen
        if isNews || ages.marks != before.marks {
            try edit { home in
                (home.quarantineCount, home.quarantineSeen) = (ages.count, ages.seen)
                for index in home.quarantine.indices {
                    home.quarantine[index].mark =
                        ages.marks[home.quarantine[index].partition] ?? ages.count
                }
            }
        }
        let old = record.quarantine.map(\.partition).filter {
            ages.age(of: $0) > Quarantine.maximumAge
        }
        let leaving = record.quarantine.map(\.partition).filter {
            old.contains($0) || !kept.contains($0)
        }
        try removeQuarantined { leaving.contains($0.partition) }
        removedFromQuarantine += leaving.map {
            Quarantine.sentence($0, isTooOld: old.contains($0))
        }
    }

    private var quarantineAge: QuarantineAge {
        let marks = record.quarantine.filter { $0.mark >= 0 }.map { ($0.partition, $0.mark) }
        let seen = record.quarantineSeen > 0 ? record.quarantineSeen : environment.seconds
        return QuarantineAge(
            count: record.quarantineCount, seen: seen,
            marks: Dictionary(marks, uniquingKeysWith: { first, _ in first }))
    }

    private func removeQuarantined(_ isOver: (HomeRecord.Quarantined) -> Bool) throws(StorageError)
    {
        let names = record.quarantine.filter(isOver).map(\.partition)
        guard !names.isEmpty else { return }
        try edit { home in
            home.quarantine.removeAll { names.contains($0.partition) }
            home.removed += names
        }
        try destroyRemoved()
    }

    // MARK: Incognito

    func moveIncognitoAway() throws(StorageError) {
        let side = record.incognito
        let names = [side.partition, side.repaired].filter { $0 > .zero }.map {
            name(.incognito, $0)
        }
        guard !names.isEmpty || side.mark != nil else { return }
        try edit { home in
            home.removed += names
            home.incognito = HomeRecord.Side()
            home.incognito.lastPartition = side.lastPartition
        }
    }

    func removeIncognitoRemains() throws(StorageError) { try destroyRemoved() }

    var directoryForKeys: (any FileDirectory)? { nil }

    /// Its records are not copied as files.
    func keyPlace() -> KeyPlace? { nil }

    func exchangeResealed() throws(StorageError) {
        throw StorageError(.unsupported, "the store '\(place)' has no files that are copied")
    }

    func removeResealingDrafts() {}

    func setIncognitoAside(_ report: [String]) throws(StorageError) {
        let side = record.incognito
        let headers = record.headers.sorted { $0.key < $1.key }
            .map { "\($0.key): \(String(decoding: $0.value.prefix(1024), as: UTF8.self))" }
        let all = report + headers
        try edit { home in
            if side.partition > .zero {
                let partition = name(.incognito, side.partition)
                home.quarantine.append(item(partition, ResealingFiles.unreadable, all))
            }
            home.incognito = HomeRecord.Side()
            home.incognito.lastPartition = side.lastPartition
            home.headers = [:]
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
