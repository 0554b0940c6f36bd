import BrowserSessions

/// The incognito partition of a copy, which gets a key of its own, and one that cannot be opened.
///
/// ```text
/// incognito-next.sealed          the new partition's header, before its key is kept; a copy
/// incognito.repaired/            the new partition
/// incognito-resealed.sealed      the first header, once the new partition is whole and durable
/// ```
/// The last name decides. Before it exists, an opening removes the new partition and destroys its
/// key; after that, an opening finishes the exchange. At any moment either the old partition and
/// its header or the new ones are there. Only the new partition takes space.
extension StoreDirectory {
    func keyLocation() throws(StorageError) -> KeyLocation? {
        guard copy == nil,
            let path = try fileSystem.realPath(of: directory.pathForLibraries),
            path.hasPrefix("/")
        else { return nil }
        return KeyLocation(path: path, directory: directory, fileSystem: fileSystem)
    }

    func exchangeResealed() throws(StorageError) {
        try directory.directory(repairedName(.incognito)).sync()
        try directory.sync()
        try directory.rename(ResealingFiles.drafts[0], to: ResealingFiles.decided)
        try directory.sync()
        try finishResealing()
    }

    /// Finishes an exchange that was decided.
    func finishResealing() throws(StorageError) {
        guard try directory.has(ResealingFiles.decided) else { return }
        let (partition, new, old) = (
            name(.incognito), repairedName(.incognito), replacedName(.incognito)
        )
        if try directory.has(new) {
            if try directory.has(partition) {
                try directory.remove(old)
                try directory.rename(partition, to: old)
                try directory.sync()
            }
            // They belong to the old partition.
            try forgetMark(of: .incognito)
            try directory.rename(new, to: partition)
            try directory.sync()
        }
        if try directory.has(ResealingFiles.drafts[1]) {
            try directory.rename(ResealingFiles.drafts[1], to: IncognitoHeader.fileNames[1])
            try directory.sync()
        }
        try directory.rename(ResealingFiles.decided, to: IncognitoHeader.fileNames[0])
        try directory.sync()
        try directory.remove(old)
    }

    func removeResealingDrafts() throws(StorageError) {
        for name in ResealingFiles.drafts { try directory.remove(name) }
        try directory.sync()
    }

    // MARK: A partition that cannot be opened

    /// The partition goes last: what is left of it without a header is set aside another time.
    func setIncognitoAside(_ report: [String]) throws(StorageError) {
        let partition = name(.incognito)
        let names = try directory.names().filter {
            $0.hasPrefix(partition) && $0 != partition && !$0.hasSuffix(".new")
        }
        let all = try names + (holds(.incognito) ? [partition] : [])
        removedFromQuarantine += try quarantine.move(
            all, reason: ResealingFiles.unreadable, report)
    }

    func removeIncognitoSetAside() throws(StorageError) {
        try quarantine.remove(setAsideFor: ResealingFiles.unreadable)
    }
}
