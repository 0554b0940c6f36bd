import BrowserSessions

/// A sound store with some calls replaced. That is how a faulty one is written:
///
/// ```swift
/// store.before(SaveRequest.self) { save, _ in save.durability = .memory }
/// ```
struct AlteredStorage: StorageDecorator {
    let base: any SessionStorage
    fileprivate var changeTraits: @Sendable (inout StorageTraits) -> Void = { _ in }
    /// What is done instead of calls, by the type of their request.
    fileprivate var works: [ObjectIdentifier: any Sendable] = [:]

    fileprivate struct Work<Request: StorageRequest>: Sendable {
        let run: @Sendable (inout Request, any SessionStorage) async throws -> Request.Answer
    }

    var traits: StorageTraits {
        var traits = base.traits
        changeTraits(&traits)
        return traits
    }

    func perform<Request: StorageRequest>(_ request: Request) async throws(StorageError)
        -> Request.Answer
    {
        guard let work = works[ObjectIdentifier(Request.self)] as? Work<Request> else {
            return try await request.perform(on: base)
        }
        var request = request
        do { return try await work.run(&request, base) } catch { throw StorageError(any: error) }
    }
}

extension StorageError {
    /// Runs work that throws errors of a store.
    static func typing<Success>(_ work: () throws -> Success) throws(StorageError) -> Success {
        do { return try work() } catch { throw StorageError(any: error) }
    }
}

extension SessionStorage {
    /// Does something else instead of one kind of call. The work gets the call, which it may change,
    /// and the sound store.
    func on<Request: StorageRequest>(
        _ request: Request.Type,
        _ work:
            @escaping @Sendable (inout Request, any SessionStorage) async throws -> Request.Answer
    ) -> AlteredStorage {
        let kind = ObjectIdentifier(request)
        var altered = AlteredStorage(base: self)
        if let known = self as? AlteredStorage, known.works[kind] == nil { altered = known }
        altered.works[kind] = AlteredStorage.Work(run: work)
        return altered
    }

    /// Does something before each call of one kind, which it may change or refuse.
    func before<Request: StorageRequest>(
        _ request: Request.Type,
        _ work: @escaping @Sendable (inout Request, any SessionStorage) async throws -> Void
    ) -> AlteredStorage {
        on(request) { request, store in
            try await work(&request, store)
            return try await request.perform(on: store)
        }
    }

    /// Does something after each call of one kind that succeeds.
    func after<Request: StorageRequest>(
        _ request: Request.Type,
        _ work: @escaping @Sendable (Request, any SessionStorage) async throws -> Void
    ) -> AlteredStorage {
        on(request) { request, store in
            let answer = try await request.perform(on: store)
            try await work(request, store)
            return answer
        }
    }

    /// Changes the answers of one kind of call.
    func answering<Request: StorageRequest>(
        _ request: Request.Type, _ change: @escaping @Sendable (inout Request.Answer) -> Void
    ) -> AlteredStorage {
        on(request) { request, store in
            var answer = try await request.perform(on: store)
            change(&answer)
            return answer
        }
    }

    /// Answers calls that fail for one of these reasons.
    func refused<Request: StorageRequest>(
        _ request: Request.Type, for codes: [StorageError.Code],
        _ instead:
            @escaping @Sendable (Request, any SessionStorage, StorageError) async throws
            -> Request.Answer
    ) -> AlteredStorage {
        on(request) { request, store in
            do throws(StorageError) {
                return try await request.perform(on: store)
            } catch {
                guard codes.contains(error.code) else { throw error }
                return try await instead(request, store, error)
            }
        }
    }

    /// Answers saves that fail for one of these reasons.
    func refused(
        for codes: [StorageError.Code] = [.invalidChanges],
        _ instead:
            @escaping @Sendable (SaveRequest, any SessionStorage, StorageError) async throws
            -> SaveReceipt
    ) -> AlteredStorage {
        refused(SaveRequest.self, for: codes, instead)
    }

    /// Changes the traits.
    func claiming(_ change: @escaping @Sendable (inout StorageTraits) -> Void) -> AlteredStorage {
        var altered = AlteredStorage(base: self)
        altered.changeTraits = change
        return altered
    }

    /// Changes what is saved, set by set.
    func saving(_ change: @escaping @Sendable (inout SessionChanges) -> Void) -> AlteredStorage {
        before(SaveRequest.self) { save, _ in change(&save.changes) }
    }

    /// Replaces the changes that are saved; `nil` leaves one out.
    func savingEach(
        _ replace: @escaping @Sendable (SessionChanges.Change) -> SessionChanges.Change?
    ) -> AlteredStorage {
        saving { $0 = $0.replacing($0.changes.compactMap(replace)) }
    }

    /// Changes the tabs that are put.
    func puttingTabs(_ change: @escaping @Sendable (inout TabMetadata) -> Void) -> AlteredStorage {
        savingEach {
            guard case .put(.tab(var tab, let session)) = $0 else { return $0 }
            change(&tab)
            return .put(tab, in: session)
        }
    }

    /// Changes the nodes that are put.
    func puttingNodes(_ change: @escaping @Sendable (inout StructureNode) -> Void) -> AlteredStorage
    {
        savingEach {
            guard case .put(.node(var node, let session)) = $0 else { return $0 }
            change(&node)
            return .put(node, in: session)
        }
    }

    /// Changes the blobs that are put.
    func puttingStates(_ change: @escaping @Sendable ([UInt8]) -> [UInt8]) -> AlteredStorage {
        savingEach {
            guard case .putState(let bytes, let key) = $0 else { return $0 }
            return .putState(change(bytes), for: key)
        }
    }

    /// Changes the sessions that are restored.
    func restoring(_ change: @escaping @Sendable (inout RestoredSession) -> Void) -> AlteredStorage
    {
        answering(RestoreRequest.self) { for index in $0.indices { change(&$0[index]) } }
    }

    /// Changes the reports of checks and repairs.
    func reporting(_ change: @escaping @Sendable (inout RecoveryReport) -> Void) -> AlteredStorage {
        answering(CheckRequest.self, change)
    }
}
