import BrowserSessions
import Foundation

/// Collects the files and session directories below a path.
struct SourceFinder {
    /// One of them.
    struct Source {
        var path: String
        var format: SessionFormat
        var isOffTheRecord = false
    }

    let detector: SourceDetector
    /// Only this format, if it is set.
    let format: SessionFormat?
    private(set) var sources: [Source] = []
    private(set) var notes: [String] = []
    /// More than one source may be there, so one that fails does not fail the import.
    private(set) var isFolder = false

    init(detector: SourceDetector, format: SessionFormat?) {
        self.detector = detector
        self.format = format
    }

    mutating func find(_ path: String) throws(StorageError) {
        guard let kind = try SourceFile.kind(of: path) else {
            throw SourceFile.failure(.notFound, "there is nothing at \(path)")
        }
        guard kind != .other else {
            throw SourceFile.failure(.unsupported, "\(path) is neither a file nor a folder")
        }
        isFolder = kind == .directory
        if let format, kind == .file, lastComponent(path) != ChromeIOSReader.metadataName {
            guard format != .chromeIOS else {
                throw SourceFile.failure(.incompatibleFormat, "\(path) is not a session directory")
            }
            add(path, format)
            return
        }
        try visit(path, depth: 0)
        guard sources.isEmpty else { return }
        throw SourceFile.failure(
            .incompatibleFormat,
            "\(path) holds no session file of a known format"
                + (format.map { " (\($0.rawValue) was asked for)" } ?? ""))
    }

    private mutating func visit(_ path: String, depth: Int) throws(StorageError) {
        switch try detector.detect(path) {
        case .file(let format): add(path, format)
        case .chromeSession:
            let isFile = lastComponent(path) == ChromeIOSReader.metadataName
            add(isFile ? parent(path) : path, .chromeIOS)
        case .chromeSessions: try visitFolder(path, depth: depth)
        case .chromeState:
            for name in ["SessionStorage", "OTR/SessionStorage", "OTR/Sessions"] {
                let folder = joined(path, name)
                if SourceFile.isDirectory(folder) { try visitFolder(folder, depth: depth + 1) }
            }
            try visitFolder(
                path, depth: depth,
                except: ["SessionStorage", "OTR", ChromeIOSArchiveReader.statesFolder])
        case .firefoxProfile: try visitProfile(path)
        case nil:
            if SourceFile.isDirectory(path) {
                try visitFolder(
                    path, depth: depth, except: [ChromeIOSArchiveReader.statesFolder])
            } else if isFolder {
                notes.append("\(path): not a session file of a known format")
            }
        }
    }

    private mutating func visitFolder(
        _ path: String, depth: Int, except passed: Set<String> = []
    ) throws(StorageError) {
        guard depth < detector.limits.maximumFolderDepth else {
            notes.append("\(path): too deep, not searched")
            return
        }
        for name in try SourceFile.names(in: path) where !passed.contains(name) {
            let inner = joined(path, name)
            guard sources.count < detector.limits.maximumSources else {
                notes.append("\(inner): over the limit of sources, not read")
                return
            }
            if isLink(inner) {
                notes.append("\(inner): a symbolic link, not followed")
                continue
            }
            do throws(StorageError) {
                try visit(inner, depth: depth + 1)
            } catch {
                notes.append("\(inner): \(error.message)")
            }
        }
    }

    /// Each window once: its primary file, or the backup if there is no primary.
    private mutating func visitProfile(_ path: String) throws(StorageError) {
        var seen: Set<String> = []
        for folder in [FirefoxIOSReader.primaryFolder, FirefoxIOSReader.backupFolder] {
            let folder = joined(path, folder)
            guard SourceFile.isDirectory(folder) else { continue }
            for name in try SourceFile.names(in: folder) {
                guard FirefoxIOSReader.window(ofFile: name) != nil else {
                    notes.append("\(joined(folder, name)): not named as a window file")
                    continue
                }
                if seen.insert(name).inserted { add(joined(folder, name), .firefoxIOS) }
            }
        }
    }

    private mutating func add(_ path: String, _ found: SessionFormat) {
        guard format == nil || format == found else {
            notes.append("\(path): of the format \(found.rawValue), which was not asked for")
            return
        }
        let session = found == .chromeIOSArchive ? parent(path) : path
        let isOffTheRecord =
            [.chromeIOS, .chromeIOSArchive].contains(found)
            && lastComponent(parent(parent(session))) == "OTR"
        sources.append(Source(path: path, format: found, isOffTheRecord: isOffTheRecord))
    }

    private func isLink(_ path: String) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
        return type as? FileAttributeType == .typeSymbolicLink
    }
}
