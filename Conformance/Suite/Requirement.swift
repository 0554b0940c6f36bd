/// One sentence that a backend must, should or may make true: together they are the specification.
///
/// A requirement never changes its meaning once its ``revision`` is frozen; a better sentence gets
/// a new number.
public struct Requirement: Hashable, Sendable, Identifiable {
    /// `SAVE-3`.
    public let id: String
    public let level: Level
    /// The sentence.
    public let statement: String
    /// What a store or its harness must be able to do for the sentence to apply.
    public let needs: [Capability]
    /// The revision of the suite that first had it.
    public let revision: SuiteRevision
    /// Provisional requirements are run and reported, and do not count.
    public let isProvisional: Bool

    /// Where the sentence and its cases stand.
    public let place: SourcePlace

    init(
        _ id: String, _ level: Level, _ statement: String, needs: [Capability],
        revision: SuiteRevision, isProvisional: Bool, place: SourcePlace
    ) {
        self.id = id
        self.level = level
        self.statement = statement
        self.needs = needs
        self.revision = revision
        self.isProvisional = isProvisional
        self.place = place
    }

    /// What the id begins with.
    public var group: RequirementGroup {
        let name = String(id.prefix { $0 != "-" })
        guard let group = RequirementGroup(rawValue: name) else {
            preconditionFailure("\(id) is of no group")
        }
        return group
    }
}

extension Requirement {
    /// How binding the sentence is, in the words of RFC 2119.
    public enum Level: String, Hashable, Sendable, CaseIterable, Codable {
        case must, should, may
    }
}

/// A frozen state of the suite: what "conformant to 2026.1" means stays the same for ever.
public struct SuiteRevision: Hashable, Sendable, RawRepresentable, Codable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The first one.
    public static let first = SuiteRevision(rawValue: "2026.1")
    /// The newest frozen revision.
    public static let current = first
}

/// An ability that some stores, or the harnesses around them, do not have.
public enum Capability: String, Hashable, Sendable, CaseIterable, Codable {
    /// What was saved is there after closing and opening again in the same process.
    case reopening
    /// The store is a directory of files at its location.
    case files
    /// A second process can open the store.
    case processes
    /// The harness can give a case a process in which nothing else runs.
    case ownProcess
    /// Saves survive the end of the process: `.processCrash` is among the durabilities.
    case processCrash
    /// Saves survive a power cut: `.powerLoss` is among the durabilities.
    case powerLoss
    /// An earlier state of each session is kept.
    case previousGeneration
    /// Earlier states and remains of what was removed can be had no more: a `removalErasure` is claimed.
    case erasure
    /// They leave no byte in any file: `erased` is claimed.
    case removalErased
    /// Incognito sessions that were saved survive the end of the process.
    case incognitoSurvivesKill
    /// Deleted incognito sessions leave no byte in any file: `erased` or `sealed` is claimed.
    case incognitoErased
    /// Incognito sessions are encrypted: `sealed` is claimed.
    case incognitoSealed
    /// The calls with which the process changes files can be seen, and made to fail.
    case watchedCalls
    /// The key of incognito sessions lies outside the store's files.
    case incognitoKeyElsewhere
    /// The backend has an option whose value must not be shown.
    case secretOptions
    /// The harness can take a store from its owner, as another machine does when the owner seems lost.
    case takeover
    /// The harness can lose and hold back what stores and their medium send each other.
    case link
    /// The harness can bring the medium of its stores into trouble.
    case troubles
}
