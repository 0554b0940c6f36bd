import BrowserSessions

/// The incognito side of a copy, which gets a key of its own, and one that cannot be opened.
///
/// ```text
/// incognito-next.sealed          the header of the side that is being built, before its key is kept; a copy
/// incognito.repaired/            that side
/// incognito-resealed.sealed      the first of the two headers once the side is whole and durable: now it counts
/// ```
/// Until then an opening sweeps the new side, and its key is destroyed; from then on it ends the exchange. At
/// any moment either the old side and its header or the new ones are there. It takes no space but for the new side.
extension LocalHome {
    func keyPlace() throws(StorageError) -> KeyPlace? {
        guard copy == nil,
            let path = try fileSystem.realPath(of: directory.pathForLibraries),
            path.hasPrefix("/")
        else { return nil }
        return KeyPlace(path: path, directory: directory, fileSystem: fileSystem)
    }

    func exchangeResealed() throws(StorageError) {
        try directory.directory(repairedName(.incognito)).sync()
        try directory.sync()
        try directory.rename(ResealingFiles.drafts[0], to: ResealingFiles.decided)
        try directory.sync()
        try finishResealing()
    }

    /// Ends an exchange that was decided.
    func finishResealing() throws(StorageError) {
        guard try directory.has(ResealingFiles.decided) else { return }
        let (side, new, old) = (
            name(.incognito), repairedName(.incognito), replacedName(.incognito)
        )
        if try directory.has(new) {
            if try directory.has(side) {
                try directory.remove(old)
                try directory.rename(side, to: old)
                try directory.sync()
            }
            // They are of the old side.
            try forgetMark(of: .incognito)
            try directory.rename(new, to: side)
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

    // MARK: A side that cannot be opened

    /// The side goes last: what is left of it without a header stays, and is set aside another time.
    func setIncognitoAside(_ report: [String]) throws(StorageError) {
        let side = name(.incognito)
        let names = try directory.names().filter {
            $0.hasPrefix(side) && $0 != side && !$0.hasSuffix(".new")
        }
        let all = try names + (holds(.incognito) ? [side] : [])
        removedFromQuarantine += try quarantine.move(
            all, reason: ResealingFiles.unreadable, report)
    }

    func removeIncognitoSetAside() throws(StorageError) {
        try quarantine.remove(setAsideFor: ResealingFiles.unreadable)
    }
}
