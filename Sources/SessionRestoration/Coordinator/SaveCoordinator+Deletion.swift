import BrowserModel
import BrowserSessions

extension SaveCoordinator {
    mutating func requestDeletion(_ request: Int) {
        deletion.unchecked.append(request)
        guard deletion.check == nil else { return }
        let check = newNumber()
        deletion.check = check
        effects.append(.checkOwner(check))
    }

    mutating func deletionChecked() {
        let requests = deletion.unchecked
        (deletion.check, deletion.unchecked) = (nil, [])
        guard !ownership.isLost else {
            for request in requests { effects.append(.finish(request, ownership.conflict)) }
            return
        }
        setPending(true)
        for request in requests {
            deletion.requests.append(request)
            calls.append(.deletion(request), .incognito)
        }
    }

    mutating func beginDeletion(_ request: Int) {
        let call = newNumber()
        deletion.call = call
        calls.begin(call, .incognito, &effects)
        effects.append(.deleteIncognito(call))
    }

    mutating func deletionAnswered(_ call: Int, _ answer: Result<Void, StorageError>) {
        guard deletion.call == call,
            case .deletion(let request)? = calls.runningTurn(of: .incognito)
        else { return }
        deletion.call = nil
        deletion.requests.removeAll { $0 == request }
        switch answer {
        case .success:
            incognito.forgetAll()
            revocableSaves = []
            // Windows that were opened during the deletion are saved again.
            effects.append(.markIncognito)
            if deletion.requests.isEmpty { setPending(false) }
            calls.endTurn(of: .incognito)
            effects.append(.finish(request, nil))
        case .failure(let error):
            if error.effect != .notApplied {
                // The deletion may still remove what was saved before it.
                incognito.forgetStore()
                effects.append(.markIncognito)
            }
            calls.endTurn(of: .incognito)
            effects.append(.notify(.saveFailed(error)))
            effects.append(.setTimer(.deletionRetry, deletion.retryDelay))
            effects.append(.finish(request, error))
        }
    }

    private mutating func setPending(_ isPending: Bool) {
        guard isPending != deletion.isPending else { return }
        deletion.isPending = isPending
        effects.append(.deletionChanged)
    }
}

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
}
