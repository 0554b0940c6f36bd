import BrowserSessions

/// Reads what was found: of each place what its browser would restore.
struct SourceTaker {
    let importer: SessionImporter
    let incognito: Bool
    /// Whether what fails is told in the report instead of thrown.
    let isFolder: Bool
    var assembler: ImportAssembler

    /// How many files of one place are read to find one that is valid.
    private static let patience = 64

    typealias Source = SourcePlace.Source

    mutating func take(_ place: SourcePlace) throws(StorageError) {
        let sources = place.candidates + place.others
        if sources.count == 1 {
            do throws(StorageError) {
                assembler.add(try read(sources[0]), from: sources[0])
            } catch  where isFolder && Self.isNoSession(error, sources[0]) {
                assembler.report.otherFiles += 1
            } catch  where isFolder {
                assembler.add(error, from: sources[0])
            }
        } else if sources.first?.format == .chromiumSNSS {
            takeLogs(sources)
        } else {
            try takeOne(of: place)
        }
    }

    /// Whether a file that was taken for a session by its name turned out to be none.
    private static func isNoSession(_ error: StorageError, _ source: Source) -> Bool {
        error.code == .incompatibleFormat && source.format == .firefoxDesktop
    }

    private func read(_ source: Source) throws(StorageError) -> SourceReading {
        try importer.read(source, incognito: incognito)
    }

    // MARK: - One of all

    /// The first candidate that is valid, else the newest other that is, else the one with most tabs.
    private mutating func takeOne(of place: SourcePlace) throws(StorageError) {
        var attempt = Attempt()
        for source in place.candidates { consider(source, &attempt) }
        if attempt.whole == nil, !place.others.isEmpty {
            for source in place.others { consider(source, &attempt, isRanked: false) }
        } else {
            assembler.report.untaken += place.others.map { UntakenFile($0, .older) }
        }
        if let (source, reading) = attempt.whole ?? attempt.damaged {
            if attempt.whole != nil, let (damaged, _) = attempt.damaged {
                assembler.report.untaken.append(UntakenFile(damaged, .damaged))
            }
            assembler.report.untaken += attempt.untaken
            assembler.add(reading, from: source)
            return
        }
        for (source, error) in attempt.failed {
            guard isFolder else { throw error }
            assembler.add(error, from: source)
        }
    }

    /// What came of the files of a place.
    private struct Attempt {
        var whole: (Source, SourceReading)?
        var damaged: (Source, SourceReading)?
        var failed: [(Source, StorageError)] = []
        var untaken: [UntakenFile] = []
        var count = 0
    }

    private mutating func consider(
        _ source: Source, _ attempt: inout Attempt, isRanked: Bool = true
    ) {
        if attempt.whole != nil && isRanked || attempt.count == Self.patience {
            attempt.untaken.append(UntakenFile(source, .older))
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
            attempt.failed.append((source, error))
            attempt.untaken.append(UntakenFile(source, .init(error), detail: error.message))
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
    /// The newest valid log of what is open, and the newest of what was closed. What is in a log says
    /// which it is.
    private mutating func takeLogs(_ sources: [Source]) {
        var taken: Set<SNSSKind> = []
        var unfinished: [SNSSKind: (Source, SourceReading)] = [:]
        for (number, source) in sources.enumerated() {
            guard taken.count < 2, number < Self.patience else {
                assembler.report.untaken.append(UntakenFile(source, .older))
                continue
            }
            do throws(StorageError) {
                let reading = try read(source)
                let kind = reading.logKind ?? .session
                if taken.contains(kind) {
                    assembler.report.untaken.append(UntakenFile(source, .older))
                } else if reading.isWhole {
                    taken.insert(kind)
                    assembler.add(reading, from: source)
                } else {
                    keep(
                        (source, reading), in: &unfinished[kind], .unfinished,
                        &assembler.report.untaken
                    ) { $0.tabCount > $1.tabCount }
                }
            } catch {
                assembler.report.untaken.append(
                    UntakenFile(source, .init(error), detail: error.message))
            }
        }
        for kind in [SNSSKind.session, .tabs] {
            guard let (source, reading) = unfinished[kind] else { continue }
            if taken.contains(kind) {
                assembler.report.untaken.append(UntakenFile(source, .unfinished))
            } else {
                assembler.add(reading, from: source)
            }
        }
    }
}

extension UntakenFile.Reason {
    /// Why a file that cannot be read was not taken.
    fileprivate init(_ error: StorageError) {
        switch error.code {
        case .permissionDenied, .failed: self = .unreadable
        case .unsupported: self = .encrypted
        default: self = .damaged
        }
    }
}
