import BrowserSessions

/// A search for places with sessions below a path.
///
/// In a profile, it examines only the files in which the browser keeps sessions. In other folders,
/// it examines every file, within the limits.
struct SourceFinder {
    let limits: ImportLimits
    /// The only format to find; `nil` for all.
    let format: SessionFormat?
    let scope: ImportScope
    private(set) var places: [FoundSources] = []
    private(set) var report = ImportReport()
    /// Whether there may be several sources, so that one failure does not fail the import.
    private(set) var isFolder = false
    /// The paths of all sources.
    private var claimed: Set<[UInt8]> = []
    private var lookedAt = 0
    private var failures = ReadFailures()
    private var passed = PassedOver()
    /// The folder that is searched, without a slash at its end.
    private var root = ""

    init(_ limits: ImportLimits, format: SessionFormat?, scope: ImportScope) {
        (self.limits, self.format, self.scope) = (limits, format, scope)
    }

    mutating func find(_ path: String) throws(StorageError) {
        guard let kind = try SourceFile.kind(of: path) else {
            throw SourceFile.failure(.notFound, "there is nothing at \(shown(path))")
        }
        switch kind {
        case .file: try findFile(path)
        case .directory:
            isFolder = true
            root = path
            while root.hasSuffix("/") { root.removeLast() }
            let folder = path.hasSuffix("//") ? root + "/" : path
            visit(try SourceFile.folder(folder), depth: 0)
        case .link, .other:
            throw SourceFile.failure(
                .unsupported, "\(shown(path)) is neither a file nor a folder")
        }
        if places.isEmpty { throw nothing(at: path) }
        report.untaken += failures.untaken
        report.notes = passed.notes(limits)
    }

    private mutating func findFile(_ path: String) throws(StorageError) {
        if let format, !format.traits.contains(.isFolder) { return add(path, format) }
        let head = try SourceHead.ofCandidate(path, limits)
        if let program = head?.program {
            throw SourceFile.failure(
                .incompatibleFormat, "\(shown(path)): \(ForeignExport.detail(program))")
        }
        let found = try head.flatMap(SessionFormat.of) ?? SessionFormat.named(lastComponent(path))
        guard format == nil || found == format else {
            throw SourceFile.failure(
                .incompatibleFormat, "\(shown(path)) is not a session directory")
        }
        if let found { add(path, found) }
    }

    /// Returns the error that explains why there is nothing to read.
    func nothing(at path: String) -> StorageError {
        if let failure = failures.list.first { return failure.error }
        let asked = format.map { " (\($0.rawValue) was asked for)" } ?? ""
        let notes = passed.notes(limits).map { "; " + $0 }.joined()
        if passed.isCutShort {
            return SourceFile.failure(
                .tooLarge,
                "no session file was found in the searched part of \(shown(path))\(asked)\(notes); "
                    + "give a folder inside, or raise the limit")
        }
        if report.untaken.contains(where: { $0.reason == .encrypted }) {
            return SourceFile.failure(
                .unsupported,
                "\(shown(path)) holds only encrypted sessions, which only their browser can read")
        }
        return SourceFile.failure(
            .incompatibleFormat,
            "\(shown(path)) holds no session file of a known format\(asked)\(notes)")
    }
}

// MARK: - Walking

extension SourceFinder {
    private mutating func visit(_ folder: SourceFile.Folder, depth: Int) {
        guard let (format, role) = SessionFormat.of(folder), role != .sources else {
            return visitAll(of: folder, depth: depth)
        }
        if role == .source { return add(folder.path, format) }
        for place in format.reader.places(in: folder, isProfile: true, &failures) { add(place) }
    }

    /// Visits everything in an unknown folder.
    private mutating func visitAll(of folder: SourceFile.Folder, depth: Int) {
        guard depth < limits.maximumFolderDepth else {
            passed.tooDeep += 1
            return
        }
        passed.names += folder.unreadableNames
        passed.hidden += folder.hiddenFolders
        for format in SessionFormat.allCases {
            for place in format.reader.places(in: folder, isProfile: false, &failures) {
                add(place)
            }
        }
        for name in folder.names {
            guard lookedAt < limits.maximumFiles else {
                passed.isOverFiles = true
                return
            }
            lookedAt += 1
            let inner = joined(folder.path, name)
            if folder.has(name, .link) { passed.links += 1 }
            // A failure is reported, and the search continues.
            do throws(StorageError) {
                switch folder.kind(name) {
                case .file?: try visitFile(inner)
                case .directory?: visit(try SourceFile.folder(inner), depth: depth + 1)
                default: break
                }
            } catch {
                failures.add(inner, error)
            }
        }
    }

    private mutating func visitFile(_ path: String) throws(StorageError) {
        guard !claimed.contains(Array(path.utf8)) else { return }
        let head = try SourceHead.ofCandidate(path, limits)
        if let program = head?.program {
            report.untaken.append(
                UntakenFile(
                    path: path, format: nil, reason: .otherProgram,
                    detail: ForeignExport.detail(program)))
        } else if let format = try head.flatMap(SessionFormat.of) {
            add(path, format)
        } else {
            report.otherFiles += 1
        }
    }
}

// MARK: - Results

extension SourceFinder {
    private mutating func add(_ path: String, _ format: SessionFormat) {
        let source = FoundSources.Source(path: path, format: format)
        add(
            format.reader.place(of: path, in: isFolder ? root : nil)
                ?? FoundSources(candidates: [source]))
    }

    /// Adds a place without what was already found or was not requested.
    private mutating func add(_ new: FoundSources) {
        var place = new
        report.otherFiles += place.otherFiles
        if let profile = place.openProfile { report.profilesInUse.append(profile) }
        place.keep { claimed.insert(Array($0.path.utf8)).inserted }
        if let format {
            for source in place.all where source.format != format {
                report.untaken.append(UntakenFile(source, .otherFormat))
            }
            place.keep { $0.format == format }
        }
        for (source, reason) in place.passedOver {
            if scope == .everything, reason != .encrypted {
                place.others.append(source)
            } else {
                report.untaken.append(UntakenFile(source, reason))
            }
        }
        place.passedOver = []
        let sourcesLeft = max(limits.maximumSources - places.count, 0)
        guard !place.isEmpty else { return }
        let found =
            scope == .everything ? place.all.map { FoundSources(candidates: [$0]) } : [place]
        places += found.prefix(sourcesLeft)
        passed.sources += max(found.count - sourcesLeft, 0)
    }
}

extension UntakenFile {
    init(_ source: FoundSources.Source, _ reason: Reason, detail: String = "") {
        self.init(path: source.path, format: source.format, reason: reason, detail: detail)
    }
}
