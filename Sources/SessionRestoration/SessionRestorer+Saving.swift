public import BrowserSessions
import Logging

extension SessionRestorer {
    /// Saves everything that has changed and returns when it survives all that the store can
    /// promise. A delayed save that waits is not needed any more.
    ///
    /// When nothing has changed, nothing is written. When it throws, the changes are kept and tried
    /// again.
    public func save() async throws(SessionRestorationError) {
        try checkIsRunning()
        do throws(StorageError) {
            try await saveNow(storage.current.traits.greatestDurability)
        } catch {
            throw .storage(error)
        }
    }

    /// Whether everything that has changed was acknowledged by the store.
    public var isSaved: Bool { regular.isClean && incognito.isClean }

    /// Returns once nothing is under way or due of what the restorer does by itself: delayed saves and
    /// those of windows that close or leave the screen, tries after a failure, deletions of the
    /// off-the-record side, notes of the launch, and tabs that become realized because they were
    /// activated. What these ask for is waited for, too.
    ///
    /// For tests, and for whoever wants to look at the store between two changes. Afterwards what was
    /// going to happen has happened: if nothing was saved, nothing was to be saved.
    ///
    /// It does not wait for a delay to pass: a change that waits for ``RestorationPolicy/saveDelay``,
    /// or a try that waits for its turn, is none of it, so ``isSaved`` may be `false`; ``save()`` does
    /// not wait for delays. Nor does it wait for what others await, such as ``save()`` in another
    /// task. While the store does not answer a save it does not return, unless its task is cancelled.
    /// Before windows were restored it returns at once, because nothing happens by itself then.
    public func waitUntilIdle() async { await work.waitUntilIdle() }

    /// Saves soon, without the delay: for callers that cannot wait.
    func saveSoon() {
        guard phase == .running else { return }
        weak let restorer = self
        work.enqueue { try? await restorer?.save() }
    }

    /// The first change starts the delay; later ones do not extend it.
    func somethingChanged() {
        guard phase == .running, delay == nil, retry == nil else { return }
        weak let restorer = self
        delay = work.after(policy.saveDelay) {
            guard let restorer, restorer.phase == .running else { return }
            restorer.delay = nil
            guard !restorer.isDelayedSaveWaiting else { return }
            restorer.isDelayedSaveWaiting = true
            let durability =
                restorer.policy.durability ?? restorer.storage.current.traits.defaultDurability
            try? await restorer.saveNow(durability)
        }
    }

    private func saveNow(_ durability: Durability) async throws(StorageError) {
        stopTimers()
        do {
            try await gate.pass {
                decideOnClosings()
                stopTimers()
                isDelayedSaveWaiting = false
                try await sendBoth(durability)
            }
            succeeded()
        } catch let error as StorageError {
            failed(error)
            throw error
        } catch {
            let unexpected = StorageError(.failed, "\(error)", operation: "save", underlying: error)
            failed(unexpected)
            throw unexpected
        }
    }

    func stopTimers() {
        delay?.cancel()
        delay = nil
        retry?.cancel()
        retry = nil
    }

    /// A side that fails does not keep the other from being saved.
    private func sendBoth(_ durability: Durability) async throws {
        var firstError: (any Error)?
        for saver in [regular, incognito] {
            do { try await send(saver, durability) } catch { firstError = firstError ?? error }
        }
        if let firstError { throw firstError }
    }

    private func send(_ saver: SideSaver, _ durability: Durability) async throws(StorageError) {
        guard let sending = saver.beginSending() else { return }
        let watch = watchForStall()
        defer { watch.cancel() }
        let start = ContinuousClock.now
        do throws(StorageError) {
            let receipt = try await storage.current.save(sending.asSet, durability: durability)
            saver.endSending(isSaved: true)
            let summary = SaveSummary(
                receipt: receipt, side: saver.side, changes: sending.count,
                stateBytes: sending.stateBytes, duration: ContinuousClock.now - start)
            metrics.saved(summary)
            tell(.saved(summary))
        } catch {
            guard error.code == .tooLarge || error.code == .invalidChanges else {
                saver.endSending(isSaved: false)
                throw error
            }
            try await sendInPieces(saver, sending, durability)
        }
    }

    /// What the store refuses of one tab must not keep the others from being saved.
    private func sendInPieces(
        _ saver: SideSaver, _ sending: PendingChanges, _ durability: Durability
    ) async throws(StorageError) {
        for piece in sending.inPieces {
            do throws(StorageError) {
                _ = try await storage.current.save(piece.asSet, durability: .memory)
                saver.acknowledge(piece)
            } catch {
                guard error.code == .tooLarge || error.code == .invalidChanges else {
                    saver.endSending(isSaved: false)
                    throw error
                }
                logger.error("a tab can't be saved", metadata: ["error": "\(error)"])
                if let tab = piece.onlyTab { tell(.tabNotSaved(tab, error)) }
            }
        }
        saver.endSending(isSaved: true)
        _ = try await storage.current.save(SessionChanges(), durability: durability)
    }

    // MARK: Health

    private func watchForStall() -> HostTimer {
        let since = now()
        weak let restorer = self
        return work.after(policy.stallLimit) {
            restorer?.become(.stalled(since: since))
            restorer?.logger.warning("a save takes long")
        }
    }

    private func succeeded() {
        failures = 0
        discardOldSetAside()
        if case .healthy = health { return }
        become(.healthy)
    }

    private func failed(_ error: StorageError) {
        failures += 1
        metrics.failed(error)
        logger.error("saving failed", metadata: ["error": "\(error)", "attempts": "\(failures)"])
        let delays = policy.retryDelays
        let wait = delays.isEmpty ? policy.saveDelay : delays[min(failures, delays.count) - 1]
        if phase == .running {
            delay?.cancel()
            delay = nil
            retry?.cancel()
            weak let restorer = self
            retry = work.after(wait) {
                restorer?.retry = nil
                try? await restorer?.save()
            }
        }
        tell(.saveFailed(error))
        become(.failing(error, attempts: failures, retryIn: wait))
    }

    private func become(_ health: SaveHealth) {
        self.health = health
        tell(.healthChanged(health))
    }

    /// The store in use: the one that was given, or the last that took its place.
    public var currentStorage: any SessionStorage { storage.current }

    /// Goes on with another store, after the first has failed for good: the same one opened again, or
    /// one elsewhere. Everything that is open is saved there, and the recently closed tabs; state of
    /// tabs that are not realized is there only if the store has it.
    public func replaceStorage(with storage: any SessionStorage) {
        self.storage.current = storage
        for tracker in trackers.values { tracker.markEverything() }
        closedTabs.saveAnew()
        saveSoon()
        noteLaunchAgain()
    }
}
