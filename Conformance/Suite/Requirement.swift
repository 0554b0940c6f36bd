/// One sentence of the specification, which a backend must, should, or may satisfy.
///
/// A requirement never changes its meaning after its ``revision`` is frozen; a better sentence gets
/// a new number.
public struct Requirement: Hashable, Sendable, Identifiable {
    /// The identifier, such as `SAVE-3`.
    public let id: String
    /// How binding the sentence is.
    public let level: Level
    /// The sentence.
    public let statement: String
    /// What a store or its harness must be able to do for the sentence to apply.
    public let needs: [Capability]
    /// The first revision of the suite that had the requirement.
    public let revision: SuiteRevision
    /// Whether the requirement is run and reported but does not count.
    public let isProvisional: Bool

    /// The location of the sentence and its cases in the sources.
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

    /// The group that the id begins with.
    public var group: RequirementGroup {
        let name = String(id.prefix { $0 != "-" })
        guard let group = RequirementGroup(rawValue: name) else {
            preconditionFailure("\(id) is of no group")
        }
        return group
    }
}

extension Requirement {
    /// How binding the sentence is, in the terms of RFC 2119.
    public enum Level: String, Hashable, Sendable, CaseIterable, Codable {
        /// Obligation, recommendation, or option; only a broken *must* violates the contract.
        case must, should, may
    }
}

/// A state of the suite. It is frozen with the release that brings it: from then on, the meaning of
/// "conformant to 2026.1" never changes.
public struct SuiteRevision: Hashable, Sendable, RawRepresentable, Codable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The first revision.
    public static let first = SuiteRevision(rawValue: "2026.1")
    /// The newest revision.
    public static let current = first
}

/// An ability that some stores or their harnesses lack.
public enum Capability: String, Hashable, Sendable, CaseIterable, Codable {
    /// Saved content is still there after closing and reopening in the same process.
    case reopening
    /// The store is a directory of files at its location.
    case files
    /// A second process can open the store.
    case processes
    /// The harness can give a case a process in which nothing else runs.
    case ownProcess
    /// Saves survive the end of the process: `.processCrash` is among the durabilities.
    case processCrash
    /// Saves survive a power loss: `.powerLoss` is among the durabilities.
    case powerLoss
    /// The store keeps an earlier state of each session.
    case restorePoints
    /// The store takes restore points when it is asked to.
    case takesRestorePoints
    /// The store can be opened for reading beside its owner, and copied.
    case opensReaders
    /// Earlier states and removed content cannot be recovered: a `removalErasure` is claimed.
    case erasure
    /// Removed content leaves no byte in any file: `erased` is claimed.
    case removalErased
    /// Saved incognito sessions survive the end of the process.
    case incognitoSurvivesKill
    /// Deleted incognito sessions leave no byte in any file: `erased` or `sealed` is claimed.
    case incognitoErased
    /// Incognito sessions are encrypted: `sealed` is claimed.
    case incognitoSealed
    /// The suite can observe the process's calls that change files, and can make them fail.
    case watchedCalls
    /// The key of incognito sessions is stored outside the store's files.
    case incognitoKeyElsewhere
    /// The backend has an option with a value that must not be shown.
    case secretOptions
    /// The harness can take a store from its owner, as a machine does when the owner seems lost.
    case takeover
    /// The harness can lose and hold back the traffic of stores and their medium.
    case link
    /// The harness can cause trouble in the medium of its stores.
    case troubles
}
