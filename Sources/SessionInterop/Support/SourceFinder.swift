import BrowserSessions

/// A search for places with sessions below a path.
///
/// In a profile, it examines only the files in which the browser keeps sessions. In other folders,
/// it examines every file, within the limits.
struct SourceFinder {
    let detector: SourceDetector
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

    private var limits: ImportLimits { detector.limits }

    init(detector: SourceDetector, format: SessionFormat?, scope: ImportScope) {
        self.detector = detector
        self.format = format
        self.scope = scope
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
            try visit(try SourceFile.folder(folder), depth: 0)
        case .link, .other:
            throw SourceFile.failure(
                .unsupported, "\(shown(path)) is neither a file nor a folder")
        }
        if places.isEmpty { throw nothing(at: path) }
        report.untaken += failures.untaken
        report.notes = passed.notes(limits)
    }

    private mutating func findFile(_ path: String) throws(StorageError) {
        if let format, lastComponent(path) != ChromeIOSReader.metadataName {
            guard format != .chromeIOS else {
                throw SourceFile.failure(
                    .incompatibleFormat, "\(shown(path)) is not a session directory")
            }
            return add(path, format)
        }
        let role = try detector.file(path)
        if case .foreign(let program)? = role {
            throw SourceFile.failure(
                .incompatibleFormat, "\(shown(path)): \(ForeignExport.detail(program))")
        } else if role == .chromeSession {
            add(parent(path), .chromeIOS)
        } else if let found = role?.format ?? SourceDetector.format(ofName: lastComponent(path)) {
            add(path, found)
        }
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
    /// Runs work on one path. If it fails, the failure is reported and the search continues.
    private mutating func attempt(
        _ path: String, _ work: (inout Self) throws(StorageError) -> Void
    ) {
        do throws(StorageError) { try work(&self) } catch { failures.add(path, error) }
    }

    private mutating func visit(_ folder: SourceFile.Folder, depth: Int) throws(StorageError) {
        switch detector.role(of: folder) {
        case .chromeSession?: add(folder.path, .chromeIOS)
        case .chromeState?: visitChromeState(folder, depth: depth)
        case .firefoxIOSProfile?: visitFirefoxIOS(folder)
        case .firefoxProfile?:
            if FirefoxProfile.isInUse(folder) { report.profilesInUse.append(folder.path) }
            addFirefox(folder)
        case .chromiumProfile?: visitChromium(folder)
        case .chromiumUserData?: visitUserData(folder)
        case .chromeSessions?, .file?, .foreign?, nil: visitAll(of: folder, depth: depth)
        }
    }

    /// Visits everything in an unknown folder.
    private mutating func visitAll(
        of folder: SourceFile.Folder, depth: Int, except known: Set<String> = []
    ) {
        guard depth < limits.maximumFolderDepth else {
            passed.tooDeep += 1
            return
        }
        passed.names += folder.unreadableNames
        passed.hidden += folder.hiddenFolders
        addFirefox(folder)
        if let place = ChromiumProfile.place(in: folder, &failures) { add(place) }
        for name in folder.names where !known.contains(name) {
            guard lookedAt < limits.maximumFiles else {
                passed.isOverFiles = true
                return
            }
            lookedAt += 1
            let inner = joined(folder.path, name)
            if folder.has(name, .link) { passed.links += 1 }
            attempt(inner) { finder throws(StorageError) in
                switch folder.kind(name) {
                case .file?: try finder.visitFile(inner)
                case .directory? where name != ChromeIOSArchiveReader.statesFolder:
                    try finder.visit(try SourceFile.folder(inner), depth: depth + 1)
                default: break
                }
            }
        }
    }

    private mutating func visitFile(_ path: String) throws(StorageError) {
        guard !claimed.contains(Array(path.utf8)) else { return }
        guard let role = try detector.file(path) else {
            report.otherFiles += 1
            return
        }
        if case .foreign(let program) = role {
            report.untaken.append(
                UntakenFile(
                    path: path, format: nil, reason: .otherProgram,
                    detail: ForeignExport.detail(program)))
        } else if let format = role.format {
            add(path, format)
        }
    }

    private mutating func visitChromeState(_ folder: SourceFile.Folder, depth: Int) {
        let sessions = ["SessionStorage", "OTR/SessionStorage", "OTR/Sessions"]
        for path in sessions.map({ joined(folder.path, $0) }) {
            attempt(path) { finder throws(StorageError) in
                guard try SourceFile.kind(of: path) == .directory else { return }
                finder.visitAll(of: try SourceFile.folder(path), depth: depth + 1)
            }
        }
        visitAll(of: folder, depth: depth, except: ["SessionStorage", "OTR"])
    }

    /// Visits each window once: its primary file or, if that is missing or damaged, its backup.
    private mutating func visitFirefoxIOS(_ folder: SourceFile.Folder) {
        var names: Set<String> = []
        for inner in [FirefoxIOSReader.primaryFolder, FirefoxIOSReader.backupFolder]
        where folder.has(inner, .directory) {
            for name in failures.folder(joined(folder.path, inner))?.names ?? [] {
                if FirefoxIOSReader.window(ofFile: name) != nil {
                    names.insert(name)
                } else {
                    report.otherFiles += 1
                }
            }
        }
        for name in names.sorted() {
            add(FirefoxIOSReader.place(ofWindow: name, in: folder.path))
        }
    }

    private mutating func addFirefox(_ folder: SourceFile.Folder) {
        guard var place = FirefoxProfile.place(in: folder, &failures) else { return }
        var others: [FoundSources.Source] = []
        for source in place.others {
            attempt(source.path) { finder throws(StorageError) in
                if try finder.detector.file(source.path) == .file(.firefoxDesktop) {
                    others.append(source)
                } else {
                    finder.report.otherFiles += 1
                }
            }
        }
        place.others = others
        add(place)
    }

    private mutating func visitUserData(_ folder: SourceFile.Folder) {
        if ChromiumProfile.isProfile(folder) { visitChromium(folder) }
        for profile in profiles(in: folder) { visitChromium(profile) }
        guard folder.has(ChromiumProfile.snapshots, .directory),
            let snapshots = failures.folder(joined(folder.path, ChromiumProfile.snapshots))
        else { return }
        for version in snapshots.names(.directory) {
            guard let copy = failures.folder(joined(snapshots.path, version)) else { continue }
            for profile in profiles(in: copy) {
                guard var place = ChromiumProfile.place(in: profile, &failures) else { continue }
                if scope == .restorable { place.passAllOver(.older) }
                add(place)
            }
        }
    }

    /// Returns the profiles in a folder that can be read.
    private mutating func profiles(in folder: SourceFile.Folder) -> [SourceFile.Folder] {
        folder.names(.directory).compactMap { name in
            let path = joined(folder.path, name)
            let isProfile = failures.attempt(path) { () throws(StorageError) in
                try ChromiumProfile.isProfile(path)
            }
            return isProfile == true ? failures.folder(path) : nil
        }
    }

    private mutating func visitChromium(_ folder: SourceFile.Folder) {
        if ChromiumProfile.isInUse(folder.path) { report.profilesInUse.append(folder.path) }
        if let place = ChromiumProfile.place(in: folder, &failures) { add(place) }
    }
}

// MARK: - Results

extension SourceFinder {
    private mutating func add(_ path: String, _ found: SessionFormat) {
        let session = found == .chromeIOSArchive ? parent(path) : path
        let isOffTheRecord =
            [.chromeIOS, .chromeIOSArchive].contains(found)
            && lastComponent(parent(parent(session))) == "OTR"
        if !isFolder, found == .firefoxIOS, let place = FirefoxIOSReader.place(ofFile: path) {
            add(place)
            return
        }
        var place = FoundSources(candidates: [
            FoundSources.Source(path: path, format: found, isOffTheRecord: isOffTheRecord)
        ])
        if isFolder, found == .chromeIOS,
            let archive = ChromeIOSArchiveReader.archive(ofSession: path),
            archive.hasPrefix(root + "/")
        {
            place.candidates.append(
                .init(
                    path: archive, format: .chromeIOSArchive, isOffTheRecord: isOffTheRecord))
        }
        add(place)
    }

    /// Adds a place without what was already found or was not requested.
    private mutating func add(_ new: FoundSources) {
        var place = new
        place.keep { claimed.insert(Array($0.path.utf8)).inserted }
        if let format {
            for source in place.all where source.format != format {
                report.untaken.append(UntakenFile(source, .otherFormat))
            }
            place.keep { $0.format == format }
        }
        for (source, reason) in place.passedOver {
            if scope == .everything, reason == .appWindows {
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
