import BrowserModel
import BrowserSessions

extension SaveCoordinator {
    /// Adds a request to the round that has not begun, or to a new one.
    mutating func enqueueRound(_ request: SaveRequest) {
        if !request.isDelayed { schedule.stopTimers(&effects) }
        if let last = rounds.indices.last, !rounds[last].hasBegun {
            rounds[last].join(request)
            return
        }
        let round = SaveRound(newNumber(), request)
        rounds.append(round)
        calls.append(.round(round.number), .regular)
    }

    /// Returns whether a caller waits for the partition's current change set.
    func isRequested(_ partition: StoragePartition) -> Bool {
        if case .workflow? = transfers[partition]?.purpose { return true }
        guard let number = saves[partition]?.round else { return false }
        return rounds.contains { $0.number == number && !$0.requests.isEmpty }
    }

    /// Ends the save of a partition, with or without an error.
    mutating func endSave(of partition: StoragePartition, _ error: StorageError?) {
        guard let save = saves[partition],
            let index = rounds.firstIndex(where: { $0.number == save.round })
        else { return }
        if error == nil, partition == .incognito, !save.isNotingDeletion,
            deletion.isPending || deletion.mayBeNoted || !revocableSaves.isEmpty
        {
            // The next process must not begin with a deletion of what was just saved.
            // If all pending changes were sent, they have removed record by record what a pending deletion
            // would remove.
            let isSent = !incognito.hasSomethingToSend
            if isSent, deletion.requests.isEmpty { deletion.isPending = false }
            saves[partition]?.isNotingDeletion = true
            effects.append(.noteDeletion)
            return
        }
        saves[partition] = nil
        calls.endTurn(of: partition)
        rounds[index].problem = rounds[index].problem ?? error
        if partition == .regular {
            calls.append(.round(save.round), .incognito)
        } else {
            endRound(rounds.remove(at: index))
        }
    }

    private mutating func endRound(_ round: SaveRound) {
        if let problem = round.problem {
            if !ownership.isLost { schedule.failed(problem, &effects) }
        } else {
            effects.append(.didSave)
            schedule.succeeded(&effects)
        }
        for request in round.requests { effects.append(.finish(request, round.problem)) }
    }

    /// Continues after the pending deletion was written to the launch note, or could not be.
    mutating func deletionNoted(_ error: StorageError?) {
        guard let save = saves[.incognito], save.isNotingDeletion else { return }
        if save.isRestartDue { return calls.restartTurn(of: .incognito) }
        if error == nil, !deletion.isPending {
            for summary in revocableSaves { effects.append(.notify(.saved(summary))) }
            revocableSaves = []
        }
        endSave(of: .incognito, error)
    }

    /// Restarts the running turn of a partition for a replacement storage.
    mutating func restartTurn(_ partition: StoragePartition, _ error: StorageError) {
        let transfer = transfers.removeValue(forKey: partition)
        if case .workflow(let request)? = transfer?.purpose {
            effects.append(.finish(request, error))
        }
        if saves[partition]?.isNotingDeletion == true {
            saves[partition]?.isRestartDue = true
        } else {
            calls.restartTurn(of: partition)
        }
    }
}
