import BrowserSessions

/// The three names of a backup in the folder around it: its own, the draft's, and that of the backup
/// before. At any moment one of them has a whole backup, once there was one.
struct BackupPlace {
    static let draftSuffix = ".unfinished"
    static let replacedSuffix = ".replaced"

    private let name: String
    private let parent: any FileDirectory

    var draftName: String { name + Self.draftSuffix }
    var replacedName: String { name + Self.replacedSuffix }

    init(_ name: String, in parent: any FileDirectory) {
        (self.name, self.parent) = (name, parent)
    }

    func removeDraft() throws(StorageError) { try BackupFolder.remove(draftName, in: parent) }
    func removeReplaced() throws(StorageError) { try BackupFolder.remove(replacedName, in: parent) }

    /// Gives the backup before its name back, if the one that was to replace it never got the name.
    func bringBack() throws(StorageError) {
        guard try !parent.has(name), let replaced = try BackupFolder(replacedName, in: parent),
            try replaced.isWhole()
        else { return }
        try parent.rename(replacedName, to: name, in: nil, replacing: false)
        try parent.sync()
    }

    /// Gives a complete draft its name. What had it is set aside.
    func exchange() throws(StorageError) {
        let isSetAside = try setAside()
        do throws(StorageError) {
            try parent.rename(draftName, to: name, in: nil, replacing: false)
        } catch {
            if isSetAside { try? parent.rename(replacedName, to: name) }
            throw error
        }
    }

    /// Sets aside what has the name. If two backups are there, the whole one stays.
    private func setAside() throws(StorageError) -> Bool {
        guard let present = try BackupFolder(name, in: parent) else { return false }
        if let replaced = try BackupFolder(replacedName, in: parent) {
            if try replaced.isWhole(), try !present.isWhole() {
                try BackupFolder.remove(name, in: parent)
                return false
            }
            try removeReplaced()
        }
        try parent.rename(name, to: replacedName)
        return true
    }

    /// Ends what a killed process began, unless another one is at it.
    func tidy() throws(StorageError) {
        let draft = try BackupFolder(draftName, in: parent)
        guard let draft, draft.kind == .unfinished || draft.kind == .complete else {
            return try tidyReplaced()
        }
        guard try draft.directory.lock() else { return }
        defer { draft.directory.unlock() }
        try tidyReplaced()
        try removeDraft()
    }

    /// Brings back or removes what was set aside, and leaves it if it may be the only whole backup.
    private func tidyReplaced() throws(StorageError) {
        try bringBack()
        guard let replaced = try BackupFolder(replacedName, in: parent) else { return }
        let isReplaced = try BackupFolder(name, in: parent)?.isWhole() ?? false
        let isOwn = replaced.kind == .complete || replaced.kind == .empty
        if replaced.isHalfRemoved || isOwn && isReplaced { try removeReplaced() }
    }
}
