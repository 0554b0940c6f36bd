/// What the terms of the contract mean, for its page and for other readers.
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
    /// What the store or its harness must be able to do, and what indicates that it can.
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
        case .takesRestorePoints: "The traits claim `takesRestorePoints`."
        case .opensReaders: "The traits claim `opensReaders`."
        case .restorePoints: "The traits claim `keepsRestorePoints`."
        case .erasure: "The traits claim a `removalErasure`: the store can erase removed data."
        case .removalErased: "The traits claim the `removalErasure` `erased`."
        case .incognitoSurvivesKill:
            "The traits' `incognitoDurability` is `processCrash` or more: the key outlives the"
                + " process."
        case .incognitoErased: "The traits claim the `incognitoErasure` `erased` or `sealed`."
        case .incognitoSealed: "The traits claim the `incognitoErasure` `sealed`."
        case .incognitoKeyElsewhere:
            "The traits' `incognitoSealing` says that the key does not lie in the store."
        case .ownProcess: "The harness can start a process in which nothing but the case runs."
        case .watchedCalls:
            "What the process does to files can be seen, and its calls fail where they are asked"
                + " to: Linux with the GNU C library."
        case .secretOptions: "The backend lists an option with a secret value."
        case .takeover:
            "The harness has a `takeOver`: it can take a store from its owner, as another machine"
                + " does when the owner seems lost."
        case .link:
            "The harness has a `makeLink`: what its stores and their medium send each other can be"
                + " lost, held back and refused."
        case .troubles:
            "The harness has `troubles`: it can stop its medium, fill it, take rights away."
        }
    }
}
