import BrowserSessions

/// A reader of one session directory of Chrome for iOS.
///
/// The browser drops the whole session if one item is invalid. This reader keeps every tab that it
/// can find, in the list and in tab directories that a damaged list no longer names.
struct ChromeIOSReader {
    let path: String
    let limits: ImportLimits
    private let sessionName: ChromeIOSSessionName

    init(path: String, limits: ImportLimits) {
        self.path = path
        self.limits = limits
        sessionName = ChromeIOSSessionName(lastComponent(path))
    }

    func read() throws(StorageError) -> SourceReading {
        var reading = SourceReading(limits: limits)
        let directories = try tabDirectories()
        let list = try readList(hasDirectories: !directories.isEmpty, &reading.log)
        reading.isWhole = !reading.log.hasLoss && !(list.isSuspicious && list.items.isEmpty)
        var builder = ChromeIOSSessionBuilder(
            list: list, identity: sessionName.identity, draft: draft(sessionName.kind))
        builder.build(&reading) { load($0.message.identifier, into: &$1, &$2) }
        let unlisted = directories.subtracting(list.items.map(\.message.identifier))
        reading.mayLackMore = list.isSuspicious
        adopt(unlisted, of: list, &builder.draft, &reading)
        reading.drafts.insert(builder.draft, at: 0)
        return reading
    }

    private func draft(_ kind: SessionKind) -> SessionDraft {
        sessionName.draft(kind, at: ChromeIOSList.fileName)
    }

    /// Returns the IDs of the tab directories next to the list.
    private func tabDirectories() throws(StorageError) -> Set<Int32> {
        var ids: Set<Int32> = []
        for name in try SourceFile.folder(path).names {
            guard let id = Self.tabID(ofDirectory: name) else { continue }
            if SourceFile.isFile(joined(path, name + "/data.pb")) { ids.insert(id) }
        }
        return ids
    }

    static func tabID(ofDirectory name: String) -> Int32? {
        guard name.utf8.count == 8, name.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
        else { return nil }
        return Int32(name, radix: 16)
    }

    private func readList(hasDirectories: Bool, _ log: inout ProblemLog) throws(StorageError)
        -> ChromeIOSList
    {
        do throws(StorageError) {
            let file = joined(path, ChromeIOSList.fileName)
            let list = ChromeIOSList(
                try SourceFile.read(file, limit: limits.maximumFileBytes), limits, &log)
            if list.items.isEmpty, list.isSuspicious, !hasDirectories {
                log.loss(at: ChromeIOSList.fileName, "the list of tabs is empty or cannot be read")
            }
            return list
        } catch  where error.code == .notFound {
            log.loss(at: ChromeIOSList.fileName, "the list of tabs is missing")
            return ChromeIOSList([], limits, &log)
        }
    }

    /// Adopts tabs that have a directory but are not in the list. They return to a list that shows
    /// damage. Otherwise, they are set aside, so that they are neither lost nor opened again.
    private func adopt(
        _ unlisted: Set<Int32>, of list: ChromeIOSList, _ session: inout SessionDraft,
        _ reading: inout SourceReading
    ) {
        let elsewhere = unlisted.isEmpty ? [] : identifiersOfSiblings()
        let lost = unlisted.subtracting(elsewhere).sorted()
        guard !lost.isEmpty else { return }
        // A list that ends between two items is as valid as a whole one.
        reading.mayLackMore = true
        var tabs: [TabDraft] = []
        for id in lost {
            var tab = TabDraft(
                id: sessionName.identity.identifier("tab", String(id)),
                location: "tab \(Self.directoryName(id))")
            load(id, into: &tab, &reading.log)
            tab.adoptHistory()
            tabs.append(tab)
        }
        if list.isSuspicious {
            session.tabs += tabs
            reading.log.loss(
                at: ChromeIOSList.fileName,
                "\(tabs.count) tabs were rebuilt from their directories; their order is unknown")
        } else {
            var aside = draft(.setAside)
            aside.tabs = tabs
            reading.drafts.append(aside)
            reading.log.repair(
                at: ChromeIOSList.fileName,
                "\(tabs.count) tab directories are not in the list; these tabs are set aside")
        }
    }

    /// Returns the tabs of the sessions next to this one. A tab that moved leaves its directory in
    /// the old session.
    private func identifiersOfSiblings() -> Set<Int32> {
        let folder = parent(path)
        var ids: Set<Int32> = []
        for name in (try? SourceFile.folder(folder).names) ?? [] where name != sessionName.name {
            let file = joined(joined(folder, name), ChromeIOSList.fileName)
            guard let bytes = try? SourceFile.read(file, limit: limits.maximumFileBytes) else {
                continue
            }
            var ignored = ProblemLog(maximum: 0)
            ids.formUnion(ChromeIOSList(bytes, limits, &ignored).items.map(\.message.identifier))
        }
        return ids
    }
}

extension ChromeIOSReader {
    static func directoryName(_ id: Int32) -> String {
        let digits = String(UInt32(bitPattern: id), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Reads `data.pb` and `state.pb` of a tab. Values from the list take precedence.
    private func load(_ id: Int32, into tab: inout TabDraft, _ log: inout ProblemLog) {
        let directory = joined(path, Self.directoryName(id))
        let location = "data.pb of tab \(Self.directoryName(id))"
        let expected = Int(tab.metadata.navigationItemCount)
        do throws(StorageError) {
            let bytes = try SourceFile.read(
                joined(directory, "data.pb"), limit: limits.maximumFileBytes)
            let data = ChromeIOSTabData(bytes, at: location, &log)
            if tab.metadata.url.isEmpty, let metadata = data.metadata {
                tab.metadata.adopt(metadata)
            }
            if data.userAgent != 0 {
                tab.metadata.properties["chrome-ios.user-agent"] = String(data.userAgent)
            }
            if data.history.entries.count < expected {
                log.loss(
                    at: location,
                    "\(data.history.entries.count) of \(expected) history entries are there")
            }
            tab.history = data.history
        } catch  where error.code == .notFound {
            log.loss(at: location, "the file is missing; the tab is kept without its history")
        } catch {
            log.loss(at: location, "the file cannot be read; the tab is kept without its history")
        }
        tab.loadNative(joined(directory, "state.pb"), limit: limits.maximumStateBytes, &log)
    }
}
