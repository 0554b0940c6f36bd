public import BrowserSessions

// MARK: - The contract

extension FaultyStorage {
    public func perform<Request: StorageRequest>(_ request: Request) async throws(StorageError)
        -> Request.Answer
    {
        let call = StorageCall(request)
        // Code that abandons a task still needs the store closed and the private tabs deleted.
        guard !Task.isCancelled || [.close, .deleteIncognito].contains(call.operation) else {
            throw StorageError(
                .cancelled, "the task was cancelled before the call began",
                operation: request.operation)
        }
        let effect = plan.withLock { $0.begin(call) }
        if effect.hangs { await plan.waitUncancelled { !$0.isHanging(effect.number) } }
        defer { plan.withLock { $0.end(call) } }
        do throws(StorageError) {
            if let error = effect.errorBefore { throw error }
            let answer = try await finish(request)
            plan.withLock { $0.note(answer, to: request) }
            if let error = effect.errorAfter { throw error }
            return answer
        } catch {
            var error = error
            if error.operation.isEmpty { error.operation = request.operation }
            throw error
        }
    }

    /// Makes the call in a separate task, so that the base does not observe a cancellation of the
    /// caller's task. For the base, the call begins only now.
    private func finish<Request: StorageRequest>(_ request: Request) async throws(StorageError)
        -> Request.Answer
    {
        let task = Task { [base] () -> Result<Request.Answer, StorageError> in
            do throws(StorageError) {
                return .success(try await request.perform(on: base))
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }
}

extension FaultPlan {
    /// Counts what a call read or saved, and notes in which sessions its tabs are.
    fileprivate mutating func note(_ answer: Any, to request: any StorageRequest) {
        switch (request, answer) {
        case (let request as RestoreRequest, let found as [RestoredSession]):
            homes.note(found, request.version)
        case (is StatesRequest, let found as [TabStateKey: [UInt8]]): statesRead += found.count
        case (let request as StateKeysRequest, let keys as [TabStateKey]):
            if request.version == .current { homes.note(keys, in: request.session) }
        case (let request as SaveRequest, let receipt as SaveReceipt):
            guard !receipt.wasAlreadyApplied else { return }
            for case .putState(let state, _) in request.changes.changes {
                stateBytesSaved += state.count
            }
            homes.note(request.changes)
        default: return
        }
    }
}
