/// The outcome for one ability that a store claims.
public struct Claim: Codable, Hashable, Sendable {
    /// How far the claim can be believed.
    public enum Standing: String, Codable, Hashable, Sendable, CaseIterable {
        /// The cases that could refute it ran and passed.
        case proven
        /// Nothing that ran could have refuted it.
        case claimedNotTried
        /// A case refuted it.
        case refuted
        /// The store does not claim the ability.
        case notClaimed

        /// The standing in plain text: `claimed, not tried`.
        public var words: String {
            switch self {
            case .proven: "proven"
            case .claimedNotTried: "claimed, not tried"
            case .refuted: "claimed, and not so"
            case .notClaimed: "not claimed"
            }
        }
    }

    /// The ability that is claimed or not.
    public let capability: Capability
    /// How far the claim can be believed after the run.
    public let standing: Standing
    /// The requirements that prove the claim; empty if the suite has none yet.
    public let requirements: [String]
}

extension Capability {
    /// The claims of a store, in the order of a certificate. Other abilities belong to the harness
    /// or the machine.
    static let claims: [Capability] = [
        .reopening, .processCrash, .powerLoss, .restorePoints, .takesRestorePoints, .opensReaders,
        .erasure, .removalErased, .incognitoSurvivesKill, .incognitoErased, .incognitoSealed,
        .incognitoKeyElsewhere, .secretOptions,
    ]
}

extension Claim {
    /// Returns all claims, judged by the results of a run.
    ///
    /// - Parameter claimed: the abilities that the store and its harness claim.
    static func all(claimed: Set<Capability>, results: [CaseResult]) -> [Claim] {
        Capability.claims.map { capability in
            let proofs = ConformanceSuite.entries.filter { $0.proves == capability }
            let ids = proofs.map(\.requirement.id)
            let own = results.filter { ids.contains($0.testCase.requirement.id) }
            return Claim(
                capability: capability,
                standing: standing(
                    isClaimed: claimed.contains(capability), own, of: proofs.flatMap(\.cases)),
                requirements: ids)
        }
    }

    private static func standing(
        isClaimed: Bool, _ results: [CaseResult], of cases: [ConformanceCase]
    ) -> Standing {
        if !isClaimed { return .notClaimed }
        if results.contains(where: { $0.verdict.isBroken }) { return .refuted }
        let sound = results.count { $0.verdict.isSound }
        let hasPassed = results.contains { $0.verdict == .passed }
        return hasPassed && sound == cases.count ? .proven : .claimedNotTried
    }
}

extension Verdict {
    /// Whether the case passed, or found nothing to try.
    fileprivate var isSound: Bool {
        switch self {
        case .passed, .notTried: true
        default: false
        }
    }

    /// Whether the requirement does not hold, expected or not.
    fileprivate var isBroken: Bool {
        switch self {
        case .failed, .expectedFailure: true
        default: false
        }
    }
}
