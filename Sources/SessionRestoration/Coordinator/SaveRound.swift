import BrowserSessions

/// A save of all pending changes: first of the regular partition, then of the incognito partition.
struct SaveRound {
    let number: Int
    /// The durability of the round; `nil` for the store's greatest.
    var durability: Durability?
    /// Whether all of its requests come from the save delay.
    var isDelayed: Bool
    /// The requests that it serves.
    var requests: [Int]
    /// Whether later changes and requests belong to the next round.
    var hasBegun = false
    /// The first error of a partition's save.
    var problem: StorageError?

    init(_ number: Int, _ request: SaveRequest) {
        self.number = number
        durability = request.durability
        isDelayed = request.isDelayed
        requests = request.number.map { [$0] } ?? []
    }

    /// Adds a request. The round has the greatest durability that any request requires.
    mutating func join(_ request: SaveRequest) {
        if let number = request.number { requests.append(number) }
        guard !request.isDelayed else { return }
        if isDelayed {
            durability = request.durability
        } else if let most = durability {
            durability = request.durability.map { max($0, most) }
        }
        isDelayed = false
    }
}

/// The save of one partition in a round.
struct PartitionSave {
    let round: Int
    var durability = Durability.memory
    /// The greatest durability that a change set of the partition can reach.
    var reachable = Durability.memory
    /// The records that are sent one by one, because the store refused the set without a reason.
    var single: SingleRecords?
    /// Whether the launch note is being updated.
    var isNotingDeletion = false
    /// Whether the storage was replaced while the launch note was written.
    var isRestartDue = false

    struct SingleRecords {
        /// The record that is being sent.
        var current: SessionItem?
        var rest: ArraySlice<SessionItem>
        /// Whether other changes wait until the refused set is saved.
        var isPartial: Bool
    }
}
