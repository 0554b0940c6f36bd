/// The files of a new sealing of the incognito partition.
enum ResealingFiles {
    /// The headers of a partition that is being built.
    static let drafts = ["incognito-next.sealed", "incognito-next-copy.sealed"]
    /// The name of the first header once the partition is whole: from then on it is the valid one.
    static let decided = "incognito-resealed.sealed"
    static let headers = drafts + [decided]
    /// The reason under which a partition that cannot be opened is in the quarantine.
    static let unreadable = "unreadable-incognito"
}
