/// The files that belong to a new sealing of the incognito side.
enum ResealingFiles {
    /// The headers of a side that is being built.
    static let drafts = ["incognito-next.sealed", "incognito-next-copy.sealed"]
    /// What the first of them is called once the side is whole: from then on it is the one that counts.
    static let decided = "incognito-resealed.sealed"
    static let headers = drafts + [decided]
    /// The reason for which a side that cannot be opened is in the quarantine.
    static let unreadable = "unreadable-incognito"
}

/// The file that says which process has a store, and the word of its opening.
enum LockFile {
    static let name = "lock"
}
