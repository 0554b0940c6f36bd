/// What the words of the contract mean, for its page and for people who ask.
extension RequirementGroup {
    /// What the requirements of the group are about, in a sentence.
    public var explanation: String {
        switch self {
        case .save:
            "Change sets: whole or not at all, repeatable, numbered, and seen by nobody before"
                + " they are done."
        case .restore:
            "Sessions come back as they were saved, with the metadata of their tabs and without"
                + " reading their state."
        case .state: "The blobs of tabs: read on demand, kept byte for byte, moving with their tab."
        case .incognito:
            "The incognito side: apart from the regular one, and gone without a trace once it is"
                + " deleted."
        case .recovery:
            "Damaged files: damage is never taken for emptiness, what is sound comes back, and"
                + " what was lost is said."
        case .crash:
            "Processes that are killed: every acknowledged save is there, and a later one is whole"
                + " or absent."
        case .power: "Power cuts: every save that was acknowledged at `powerLoss` is there."
        case .fault: "Writes and syncs that fail: nothing is acknowledged that is not kept."
        case .concurrency:
            "Many tasks, handles and processes: one opener at a time, nothing torn, nothing lost."
        case .close: "Closing: all is kept, all is released, and calls that come later say so."
        case .error: "Errors: the right code, what became of the change, and nothing private."
        case .limits: "The sizes and numbers that a store must bear, and how it refuses more."
        case .configuration:
            "Stores that a configuration names: options do what they say, and what is unknown is"
                + " refused."
        case .model: "Long random sequences of calls, each compared with a simple model."
        }
    }
}

extension Requirement.Level {
    /// What the level means for the result of a run.
    public var explanation: String {
        switch self {
        case .must: "A backend that breaks one is not conformant."
        case .should: "Breaking one is reported and does not count; say why in your documentation."
        case .may: "An ability worth knowing of. Without it a backend is as conformant as with it."
        }
    }
}

extension Capability {
    /// What the store or its harness must be able to do, and what says so.
    public var explanation: String {
        switch self {
        case .reopening:
            "What was saved is there after closing and opening again: the harness's persistence is"
                + " `process` or more."
        case .files:
            "The store is a directory of files at its location: the harness's persistence is"
                + " `files`."
        case .processes:
            "Another process can open the store: the harness's persistence is `elsewhere` or"
                + " `files`, and it knows how to start a process."
        case .processCrash: "The traits claim the durability `processCrash`."
        case .powerLoss: "The traits claim the durability `powerLoss`."
        case .previousGeneration: "The traits claim `keepsPreviousGeneration`."
        case .incognitoSurvivesKill:
            "The traits' `incognitoDurability` is `processCrash` or more: the key outlives the"
                + " process."
        case .incognitoErased: "The traits claim the `incognitoErasure` `erased` or `sealed`."
        case .incognitoSealed: "The traits claim the `incognitoErasure` `sealed`."
        case .incognitoKeyElsewhere:
            "The traits' `incognitoSealing` says that the key does not lie in the store."
        case .ownProcess: "The harness can start a process in which nothing but the case runs."
        case .secretOptions: "The backend lists an option whose value is secret."
        }
    }
}
