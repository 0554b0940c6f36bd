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
        guard sources.count == 1 else { return try takeBest(of: place) }
        do throws(StorageError) {
            assembler.add(try read(sources[0]), from: sources[0])
        } catch  where isFolder && Self.isNoSession(error, sources[0]) {
            assembler.report.otherFiles += 1
        } catch  where isFolder {
            assembler.report.untaken.append(failed(error, sources[0]))
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
        var reading = try source.format.reader.read(source.path, limits: limits)
        if incognito || source.isIncognito { reading.hide() }
        return reading
    }

    // MARK: - One of several

    /// A source that was read.
    private struct Read {
        var source: Source
        var reading: SourceReading
        /// Whether a newer source could not be read before.
        var isStandIn: Bool
    }

    /// The results for the sources of a place.
    private struct Attempt {
        /// The number of kinds of files; one of each kind is taken.
        let kindCount: Int
        /// The valid ones, at most one of each kind.
        var whole: [Read] = []
        /// The damaged ones with the most tabs, by kind.
        var damaged: [String?: Read] = [:]
        var untaken: [UntakenFile] = []
        var count = 0
        var hasFailed = false

        /// The reason that a damaged source is not taken.
        var reason: UntakenFile.Reason { kindCount > 1 ? .unfinished : .damaged }

        /// Keeps the better one of a reading and the one before it.
        mutating func keep(
            _ new: Read, insteadOf old: Read?, _ reason: UntakenFile.Reason, isBetter: Bool
        ) -> Read {
            guard let old else { return new }
            untaken.append(UntakenFile(isBetter ? old.source : new.source, reason))
            return isBetter ? new : old
        }
    }

    /// Takes the first valid candidate of each kind. If there is none, takes the newest valid other,
    /// or the source with the most tabs.
    private mutating func takeBest(of place: FoundSources) throws(StorageError) {
        let hasTwoKinds = place.candidates.first?.format.traits.contains(.hasTwoKinds) == true
        var attempt = Attempt(kindCount: hasTwoKinds ? 2 : 1)
        for source in place.candidates { consider(source, &attempt) }
        var untaken: [UntakenFile] = []
        if attempt.whole.isEmpty {
            for source in place.others { consider(source, &attempt, isRanked: false) }
        } else {
            untaken = place.others.map { UntakenFile($0, .older) }
        }
        for best in attempt.whole {
            let isStandIn = hasTwoKinds ? best.isStandIn : attempt.hasFailed
            assembler.add(best.reading, from: best.source, isStandIn: isStandIn)
        }
        for (kind, damaged) in attempt.damaged.sorted(by: { $0.key ?? "" < $1.key ?? "" }) {
            if attempt.whole.contains(where: { $0.reading.kind == kind }) {
                untaken.append(UntakenFile(damaged.source, attempt.reason))
            } else {
                assembler.add(damaged.reading, from: damaged.source)
            }
        }
        if !isFolder, attempt.whole.isEmpty, attempt.damaged.isEmpty, let firstError {
            throw firstError
        }
        assembler.report.untaken += untaken + attempt.untaken
    }

    /// - Parameter isRanked: Whether the browser would prefer what comes before. Otherwise, the
    ///   source that was saved last is the best.
    private mutating func consider(
        _ source: Source, _ attempt: inout Attempt, isRanked: Bool = true
    ) {
        let isOlder = isRanked && attempt.whole.count == attempt.kindCount
        guard !isOlder, attempt.count < Self.maximumAttempts else {
            attempt.untaken.append(UntakenFile(source, isOlder ? .older : .unread))
            return
        }
        attempt.count += 1
        do throws(StorageError) {
            let reading = try read(source)
            let new = Read(source: source, reading: reading, isStandIn: attempt.hasFailed)
            let index = attempt.whole.firstIndex { $0.reading.kind == reading.kind }
            if let index, isRanked || reading.isWhole {
                let old = attempt.whole[index]
                attempt.whole[index] = attempt.keep(
                    new, insteadOf: old, .older,
                    isBetter: !isRanked && reading.savedAt > old.reading.savedAt)
            } else if reading.isWhole {
                attempt.whole.append(new)
            } else {
                attempt.hasFailed = true
                let old = attempt.damaged[reading.kind]
                attempt.damaged[reading.kind] = attempt.keep(
                    new, insteadOf: old, attempt.reason,
                    isBetter: old.map { reading.tabCount > $0.reading.tabCount } ?? true)
            }
        } catch  where Self.isNoSession(error, source) {
            assembler.report.otherFiles += 1
        } catch {
            attempt.hasFailed = true
            // The browser had begun a new log, and would restore the older one.
            let isEmpty = (try? SourceFile.head(source.path, count: 1)) == []
            attempt.untaken.append(
                isEmpty && attempt.kindCount > 1
                    ? UntakenFile(source, .unfinished, detail: "the file is empty")
                    : failed(error, source))
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
