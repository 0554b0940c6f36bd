import BrowserModel
import BrowserSessions

extension SaveCoordinator {
    /// Reads the next records to send from the model, or a single one.
    private mutating func collect(_ partition: StoragePartition, only record: SessionItem? = nil) {
        effects.append(.collect(partition, only: record, isFirst: false))
    }

    /// Sends the partition's next change set after the model was read.
    mutating func collected(
        _ partition: StoragePartition, _ records: [CollectedRecord], _ traits: StorageTraits
    ) {
        guard var save = saves[partition], !save.isNotingDeletion, transfers[partition] == nil,
            let round = rounds.first(where: { $0.number == save.round })
        else { return }
        save.reachable =
            partition == .regular ? traits.greatestDurability : traits.incognitoDurability
        save.durability =
            round.isDelayed
            ? schedule.delayedDurability(traits) : round.durability ?? traits.greatestDurability
        saves[partition] = save
        guard let sending = self[partition].sending(records, isWhole: save.single == nil) else {
            return sendNextRecord(of: partition)
        }
        self[partition].begin(sending)
        transfer(
            sending.changes, partition, save.single == nil ? save.durability : .memory,
            .pending(sending, save.single?.current))
    }

    /// Makes earlier saves durable if they are less durable than the round requires.
    private mutating func confirm(_ partition: StoragePartition) {
        guard let save = saves[partition], let reached = reachedDurability[partition],
            reached < min(save.durability, save.reachable)
        else { return endSave(of: partition, nil) }
        transfer(SessionChanges(), partition, save.durability, .confirmation)
    }

    /// Sends a change set. If it has no sequence number that the store can check, this checks first that no
    /// other restorer uses the store.
    ///
    /// - Parameter isChecked: whether that was checked.
    mutating func transfer(
        _ changes: SessionChanges, _ partition: StoragePartition, _ durability: Durability,
        _ purpose: Transfer.Purpose, isChecked: Bool = false
    ) {
        let number = newNumber()
        var changes = changes
        changes.expectedSequence = partition == .regular ? ownership.sequence : nil
        transfers[partition] = Transfer(
            changes: changes, durability: durability, purpose: purpose, waitsFor: number)
        guard isChecked || !ownership.isLost && changes.expectedSequence != nil else {
            return effects.append(.checkOwner(number))
        }
        calls.begin(number, partition, &effects)
        effects.append(.save(number, changes, partition, durability))
    }

    private func partition(waitingFor number: Int) -> StoragePartition? {
        StoragePartition.allCases.first { transfers[$0]?.waitsFor == number }
    }

    /// Continues after the launch note was checked for another restorer.
    mutating func ownerChecked(_ number: Int, isReplaced: Bool) {
        guard deletion.check == number || partition(waitingFor: number) != nil else { return }
        if isReplaced, !ownership.isLost {
            ownership.isLost = true
            effects.append(.superseded)
            schedule.supersede(&effects)
            effects.append(.cancelTimer(.deletionRetry))
        }
        if deletion.check == number { return deletionChecked() }
        guard let partition = partition(waitingFor: number), let sent = transfers[partition]
        else { return }
        guard !ownership.isLost else { return failed(partition, ownership.conflict) }
        transfer(sent.changes, partition, sent.durability, sent.purpose, isChecked: true)
    }

    // MARK: Answers

    mutating func answered(
        _ call: Int, _ answer: Result<SaveReceipt, StorageError>, _ duration: Duration
    ) {
        guard let partition = partition(waitingFor: call), let transfer = transfers[partition]
        else { return }
        switch answer {
        case .success(let receipt): taken(transfer, receipt, duration, partition)
        case .failure(let error):
            if ownership.wasOvertaken(error, partition, transfer.changes.expectedSequence) {
                self.transfer(
                    transfer.changes, partition, transfer.durability, transfer.purpose)
            } else {
                failed(partition, error)
            }
        }
    }

    /// Gives up a call after its deadline, unless the store has ended it.
    mutating func gaveUp(_ call: Int) {
        guard let error = calls.giveUp(call) else { return }
        if deletion.call == call { return deletionAnswered(call, .failure(error)) }
        guard let partition = partition(waitingFor: call) else {
            return effects.append(.giveUp(call, error))
        }
        if partition == .regular { ownership.forgetStore() }
        failed(partition, error)
    }

    private mutating func taken(
        _ transfer: Transfer, _ receipt: SaveReceipt, _ duration: Duration,
        _ partition: StoragePartition
    ) {
        transfers[partition] = nil
        if partition == .regular { ownership.sequence = receipt.sequence }
        let reached = reachedDurability[partition]
        reachedDurability[partition] = receipt.durability
        switch transfer.purpose {
        case .pending(let sending, _):
            self[partition].acknowledge(sending)
            report(
                SaveSummary(
                    receipt: receipt, partition: partition, changes: sending.count,
                    stateBytes: sending.stateBytes, duration: duration))
        case .workflow(let request):
            // A less durable set is a launch note, which no round saves again.
            if let reached, receipt.durability < reached { reachedDurability[partition] = reached }
            effects.append(.finish(request, nil))
        case .confirmation: break
        }
        if let point = receipt.pointBeforeLoss {
            effects.append(.notify(.tookPointBeforeLoss(point)))
        }
        if partition == .regular, let durable = feed.acknowledged(transfer.changes, receipt) {
            effects.append(.notify(.becameDurable(durable)))
        }
        goOn(after: transfer, partition)
    }

    private mutating func report(_ summary: SaveSummary) {
        if summary.partition == .incognito, deletion.isPending || deletion.mayBeNoted {
            revocableSaves.append(summary)
        } else {
            effects.append(.notify(.saved(summary)))
        }
    }

    private mutating func goOn(
        after transfer: Transfer, _ partition: StoragePartition
    ) {
        switch transfer.purpose {
        case .workflow: break
        case .confirmation: endSave(of: partition, nil)
        case .pending(_, .some): sendNextRecord(of: partition)
        case .pending(let sending, nil):
            if sending.isPartial { collect(partition) } else { confirm(partition) }
        }
    }

    private mutating func failed(
        _ partition: StoragePartition, _ error: StorageError
    ) {
        guard let transfer = transfers.removeValue(forKey: partition) else { return }
        let isRefusal = error.code == .tooLarge || error.code == .invalidChanges
        switch transfer.purpose {
        case .workflow(let request): effects.append(.finish(request, error))
        case .pending(let sending, let record) where isRefusal:
            if let subject = error.subject, self[partition].refuse(subject, sending, error) {
                return collect(partition, only: record)
            }
            if let record {
                if self[partition].refuse(record, sending, error) {
                    return collect(partition, only: record)
                }
            } else {
                let rest = self[partition].records[...]
                saves[partition]?.single = .init(rest: rest, isPartial: sending.isPartial)
            }
            sendNextRecord(of: partition)
        case .pending, .confirmation: endSave(of: partition, error)
        }
    }

    // MARK: Record by record

    /// Sends the next single record, so that a refused record does not block the others.
    private mutating func sendNextRecord(of partition: StoragePartition) {
        guard let single = saves[partition]?.single else { return confirm(partition) }
        guard let record = single.rest.first else {
            saves[partition]?.single = nil
            return single.isPartial ? collect(partition) : confirm(partition)
        }
        saves[partition]?.single = .init(
            current: record, rest: single.rest.dropFirst(), isPartial: single.isPartial)
        collect(partition, only: record)
    }
}
