/// A deletion of the incognito partition.
///
/// A deletion that failed or has not ended is pending until it succeeds, in this process or the next.
struct PendingIncognitoDeletion {
    var isPending = false
    /// Whether the store's launch note reports, or may report, a pending deletion to the next process.
    var mayBeNoted = true
    /// The delay after a failed deletion.
    var retryDelay = Duration.zero
    /// The owner check before a deletion; `nil` if none is running.
    var check: Int?
    /// The requests that wait for the owner check.
    var unchecked: [Int] = []
    /// The call to the store; `nil` if none is running.
    var call: Int?
    /// The deletions that wait for their turn or are running.
    var requests: [Int] = []

    /// Completes the deletion if all pending changes were sent. They have then removed record by
    /// record what the deletion would remove, and what is there now must stay.
    mutating func completeIfSent(hasSomethingToSend: Bool) {
        if isPending, !hasSomethingToSend, requests.isEmpty { isPending = false }
    }
}
