import BrowserSessions

/// A reader of what was found. From each place, it takes what the browser would restore.
struct SourceTaker {
    let limits: ImportLimits
    let incognito: Bool
    /// Whether failures are reported instead of thrown.
    let isFolder: Bool
    var assembler: ImportAssembler
    /// The first error that prevented a source from being taken.
    private(set) var firstError: StorageError?

    /// The maximum number of files in one place to read to find a valid one.
    private static let maximumAttempts = 64

    typealias Source = FoundSources.Source

    mutating func take(_ place: FoundSources) throws(StorageError) {
        let sources = place.candidates + place.others
        if sources.count == 1 {
            do throws(StorageError) {
                assembler.add(try read(sources[0]), from: sources[0])
            } catch  where isFolder && Self.isNoSession(error, sources[0]) {
                assembler.report.otherFiles += 1
            } catch  where isFolder {
                assembler.report.untaken.append(failed(error, sources[0]))
            }
        } else if sources.first?.format.traits.contains(.hasTwoKinds) == true {
            takeLogs(sources)
        } else {
            try takeOne(of: place)
        }
    }

    /// Returns whether a file with the name of a session is not a session.
    private static func isNoSession(_ error: StorageError, _ source: Source) -> Bool {
        error.code == .incompatibleFormat && source.format.traits.contains(.hasCommonNames)
    }

    private mutating func failed(_ error: StorageError, _ source: Source) -> UntakenFile {
        firstError = firstError ?? error
        return UntakenFile(source, .init(error), detail: error.message)
    }

    private func read(_ source: Source) throws(StorageError) -> SourceReading {
        try source.format.reader.read(
            source.path, limits: limits, incognito: incognito || source.isOffTheRecord)
    }

    // MARK: - One of all

    /// Takes the first valid candidate, or the newest valid other, or the one with the most tabs.
    private mutating func takeOne(of place: FoundSources) throws(StorageError) {
        var attempt = Attempt()
        for source in place.candidates { consider(source, &attempt) }
        if attempt.whole == nil, !place.others.isEmpty {
            for source in place.others { consider(source, &attempt, isRanked: false) }
        } else {
            assembler.report.untaken += place.others.map { UntakenFile($0, .older) }
        }
        if let (source, reading) = attempt.whole ?? attempt.damaged {
            let isStandIn =
                attempt.damaged != nil || attempt.untaken.contains(where: \.reason.isDamage)
            if attempt.whole != nil, let (damaged, _) = attempt.damaged {
                assembler.report.untaken.append(UntakenFile(damaged, .damaged))
            }
            assembler.add(reading, from: source, isStandIn: isStandIn)
        } else if !isFolder, let firstError {
            throw firstError
        }
        assembler.report.untaken += attempt.untaken
    }

    /// The results for the files of a place.
    private struct Attempt {
        var whole: (Source, SourceReading)?
        var damaged: (Source, SourceReading)?
        var untaken: [UntakenFile] = []
        var count = 0
    }

    private mutating func consider(
        _ source: Source, _ attempt: inout Attempt, isRanked: Bool = true
    ) {
        let isOlder = attempt.whole != nil && isRanked
        guard !isOlder, attempt.count < Self.maximumAttempts else {
            attempt.untaken.append(UntakenFile(source, isOlder ? .older : .unread))
            return
        }
        attempt.count += 1
        do throws(StorageError) {
            let reading = try read(source)
            if reading.isWhole {
                keep((source, reading), in: &attempt.whole, .older, &attempt.untaken) {
                    $0.savedAt > $1.savedAt
                }
            } else {
                keep((source, reading), in: &attempt.damaged, .damaged, &attempt.untaken) {
                    $0.tabCount > $1.tabCount
                }
            }
        } catch  where Self.isNoSession(error, source) {
            assembler.report.otherFiles += 1
        } catch {
            attempt.untaken.append(failed(error, source))
        }
    }

    private func keep(
        _ new: (Source, SourceReading), in place: inout (Source, SourceReading)?,
        _ reason: UntakenFile.Reason, _ untaken: inout [UntakenFile],
        isBetter: (SourceReading, SourceReading) -> Bool
    ) {
        guard let old = place else {
            place = new
            return
        }
        let wins = isBetter(new.1, old.1)
        untaken.append(UntakenFile(wins ? old.0 : new.0, reason))
        if wins { place = new }
    }
}

// MARK: - One of each kind

extension SourceTaker {
    /// Takes the newest valid log of open tabs, and the newest valid one of closed tabs. The
    /// content of a log determines its kind.
    private mutating func takeLogs(_ sources: [Source]) {
        var taken: Set<String?> = []
        var isStandIn = false
        var unfinished: [String?: (Source, SourceReading)] = [:]
        for (number, source) in sources.enumerated() {
            guard taken.count < 2, number < Self.maximumAttempts else {
                assembler.report.untaken.append(
                    UntakenFile(source, taken.count == 2 ? .older : .unread))
                continue
            }
            do throws(StorageError) {
                let reading = try read(source)
                let kind = reading.kind
                if taken.contains(kind) {
                    assembler.report.untaken.append(UntakenFile(source, .older))
                } else if reading.isWhole {
                    taken.insert(kind)
                    assembler.add(reading, from: source, isStandIn: isStandIn)
                } else {
                    isStandIn = true
                    keep(
                        (source, reading), in: &unfinished[kind], .unfinished,
                        &assembler.report.untaken
                    ) { $0.tabCount > $1.tabCount }
                }
            } catch {
                isStandIn = true
                assembler.report.untaken.append(failed(error, source))
            }
        }
        for (_, (source, reading)) in unfinished.sorted(by: { $0.key ?? "" < $1.key ?? "" }) {
            if taken.contains(reading.kind) {
                assembler.report.untaken.append(UntakenFile(source, .unfinished))
            } else {
                assembler.add(reading, from: source)
            }
        }
    }
}

extension UntakenFile.Reason {
    /// Creates the reason that a file with this error was not taken.
    init(_ error: StorageError) {
        switch error.code {
        case .permissionDenied, .failed, .notFound: self = .unreadable
        case .unsupported: self = .encrypted
        default: self = .damaged
        }
    }
}
