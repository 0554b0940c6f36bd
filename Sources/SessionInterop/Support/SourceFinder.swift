import BrowserSessions

/// Finds the places with sessions below a path.
///
/// Of a profile only the files are looked at that the browser keeps sessions in, whatever else there
/// is. Of other folders every file is, as far as the limits go.
struct SourceFinder {
    let detector: SourceDetector
    /// Only this format, if it is set.
    let format: SessionFormat?
    let scope: ImportScope
    private(set) var places: [SourcePlace] = []
    private(set) var report = ImportReport()
    /// More than one source may be there, so one that fails does not fail the import.
    private(set) var isFolder = false
    /// The paths of all sources.
    private var claimed: Set<String> = []
    private var lookedAt = 0
    /// The first of what could not be read.
    private var firstError: StorageError?
    private var passed = Passed()

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
            try visit(try SourceFile.folder(path), depth: 0)
        case .link, .other:
            throw SourceFile.failure(
                .unsupported, "\(shown(path)) is neither a file nor a folder")
        }
        if places.isEmpty { throw nothing(at: path) }
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
        if role == .chromeSession {
            add(parent(path), .chromeIOS)
        } else if let found = role?.format ?? SourceDetector.format(ofName: lastComponent(path)) {
            add(path, found)
        }
    }

    /// Why there is nothing to read.
    private func nothing(at path: String) -> StorageError {
        if let firstError { return firstError }
        if report.untaken.contains(where: { $0.reason == .encrypted }) {
            return SourceFile.failure(
                .unsupported,
                "\(shown(path)) holds only encrypted sessions, which only their browser can read")
        }
        return SourceFile.failure(
            .incompatibleFormat,
            "\(shown(path)) holds no session file of a known format"
                + (format.map { " (\($0.rawValue) was asked for)" } ?? ""))
    }
}

// MARK: - Walking

extension SourceFinder {
    private mutating func visit(_ folder: SourceFile.Folder, depth: Int) throws(StorageError) {
        switch detector.role(of: folder) {
        case .chromeSession?: add(folder.path, .chromeIOS)
        case .chromeState?: try visitChromeState(folder, depth: depth)
        case .firefoxIOSProfile?: try visitFirefoxIOS(folder)
        case .firefoxProfile?:
            if FirefoxProfile.isInUse(folder) { report.profilesInUse.append(folder.path) }
            try addFirefox(folder)
        case .chromiumProfile?: try visitChromium(folder)
        case .chromiumUserData?: try visitUserData(folder)
        case .chromeSessions?, .file?, nil: try visitAll(of: folder, depth: depth)
        }
    }

    /// A folder of which nothing is known.
    private mutating func visitAll(
        of folder: SourceFile.Folder, depth: Int, except known: Set<String> = []
    ) throws(StorageError) {
        guard depth < limits.maximumFolderDepth else {
            passed.tooDeep += 1
            return
        }
        passed.names += folder.unreadableNames
        try addFirefox(folder)
        if let place = try ChromiumProfile.place(in: folder) { add(place) }
        for name in folder.names where !known.contains(name) {
            guard lookedAt < limits.maximumFiles else {
                passed.isOverFiles = true
                return
            }
            lookedAt += 1
            let inner = joined(folder.path, name)
            if folder.kinds[name] == .link { passed.links += 1 }
            do throws(StorageError) {
                switch folder.kinds[name] {
                case .file?: try visitFile(inner)
                case .directory? where name != ChromeIOSArchiveReader.statesFolder:
                    try visit(try SourceFile.folder(inner), depth: depth + 1)
                default: continue
                }
            } catch {
                firstError = firstError ?? error
                report.untaken.append(
                    UntakenFile(
                        path: inner, format: nil, reason: .unreadable, detail: error.message))
            }
        }
    }

    private mutating func visitFile(_ path: String) throws(StorageError) {
        guard !claimed.contains(path) else { return }
        guard let role = try detector.file(path) else {
            report.otherFiles += 1
            return
        }
        add(path, role.format)
    }

    private mutating func visitChromeState(_ folder: SourceFile.Folder, depth: Int)
        throws(StorageError)
    {
        let sessions = ["SessionStorage", "OTR/SessionStorage", "OTR/Sessions"]
        for path in sessions.map({ joined(folder.path, $0) }) where SourceFile.isDirectory(path) {
            try visitAll(of: try SourceFile.folder(path), depth: depth + 1)
        }
        try visitAll(of: folder, depth: depth, except: ["SessionStorage", "OTR"])
    }

    /// Each window once: its primary file or, if that is missing or damaged, its backup.
    private mutating func visitFirefoxIOS(_ folder: SourceFile.Folder) throws(StorageError) {
        var names: Set<String> = []
        for inner in [FirefoxIOSReader.primaryFolder, FirefoxIOSReader.backupFolder]
        where folder.has(inner, .directory) {
            for name in try SourceFile.names(in: joined(folder.path, inner)) {
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

    private mutating func addFirefox(_ folder: SourceFile.Folder) throws(StorageError) {
        guard var place = try FirefoxProfile.place(in: folder) else { return }
        var others: [SourcePlace.Source] = []
        for source in place.others {
            if (try? detector.file(source.path)) == .file(.firefoxDesktop) {
                others.append(source)
            } else {
                report.otherFiles += 1
            }
        }
        place.others = others
        add(place)
    }

    private mutating func visitUserData(_ folder: SourceFile.Folder) throws(StorageError) {
        if ChromiumProfile.isProfile(folder) { try visitChromium(folder) }
        for name in ChromiumProfile.profiles(in: folder) {
            try visitChromium(try SourceFile.folder(joined(folder.path, name)))
        }
        guard folder.has(ChromiumProfile.snapshots, .directory) else { return }
        let snapshots = try SourceFile.folder(joined(folder.path, ChromiumProfile.snapshots))
        for version in snapshots.names(.directory) {
            let copy = try SourceFile.folder(joined(snapshots.path, version))
            for name in ChromiumProfile.profiles(in: copy) {
                let profile = try SourceFile.folder(joined(copy.path, name))
                guard var place = try ChromiumProfile.place(in: profile) else { continue }
                if scope == .restorable { place.passAllOver(.older) }
                add(place)
            }
        }
    }

    private mutating func visitChromium(_ folder: SourceFile.Folder) throws(StorageError) {
        if ChromiumProfile.isInUse(folder.path) { report.profilesInUse.append(folder.path) }
        if let place = try ChromiumProfile.place(in: folder) { add(place) }
    }
}

// MARK: - What was found

extension SourceFinder {
    private mutating func add(_ path: String, _ found: SessionFormat) {
        let session = found == .chromeIOSArchive ? parent(path) : path
        let isOffTheRecord =
            [.chromeIOS, .chromeIOSArchive].contains(found)
            && lastComponent(parent(parent(session))) == "OTR"
        if isFolder, scope == .restorable, ChromeIOSArchiveReader.isReplaced(path) {
            report.untaken.append(UntakenFile(path: path, format: found, reason: .older))
            return
        }
        if !isFolder, found == .firefoxIOS, let place = FirefoxIOSReader.place(ofFile: path) {
            add(place)
            return
        }
        add(
            SourcePlace(candidates: [
                SourcePlace.Source(path: path, format: found, isOffTheRecord: isOffTheRecord)
            ]))
    }

    /// Drops what was found before, and what was not asked for.
    private mutating func add(_ new: SourcePlace) {
        var place = new
        place.keep { claimed.insert($0.path).inserted }
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
        let room = max(limits.maximumSources - places.count, 0)
        guard !place.isEmpty else { return }
        let found =
            scope == .everything ? place.all.map { SourcePlace(candidates: [$0]) } : [place]
        places += found.prefix(room)
        passed.sources += max(found.count - room, 0)
    }
}

/// What was passed over, in numbers: a folder may have any number of it.
private struct Passed {
    var links = 0
    var names = 0
    var tooDeep = 0
    var sources = 0
    var isOverFiles = false

    func notes(_ limits: ImportLimits) -> [String] {
        let counts = [
            ("symbolic links, which are not followed", links), ("names that are not UTF-8", names),
            ("folders that are too deep to be searched", tooDeep),
            ("files with sessions over the limit of \(limits.maximumSources)", sources),
        ]
        let notes = counts.filter { $0.1 > 0 }.map { "passed over: \($0.0): \($0.1)" }
        return isOverFiles
            ? notes + ["no more than \(limits.maximumFiles) files and folders were looked at"]
            : notes
    }
}

extension UntakenFile {
    init(_ source: SourcePlace.Source, _ reason: Reason, detail: String = "") {
        self.init(path: source.path, format: source.format, reason: reason, detail: detail)
    }
}
