import Logging
import Synchronization

/// What is done with one host, one thing after the other.
extension SessionLifecycle {
    /// Begins a host in a task of its own, behind what is being done with it.
    func begin(_ id: String, in table: inout HostTable) {
        guard let entry = table.entries[id] else { return }
        if entry.state.isFinal { table.set(id, to: .waiting) }
        table.entries[id]?.work = Task { [turns] in
            await entry.work?.value
            await turns.take()
            await beginNow(entry.host)
            await turns.give()
        }
    }

    /// Ends a host in a task of its own, behind what is being done with it; `nil` if that is done already.
    func end(_ id: String, in table: inout HostTable) -> Task<Void, Never>? {
        guard let entry = table.entries[id] else { return nil }
        if case .ending = entry.state { return entry.work }
        entry.work?.cancel()
        guard entry.isBegun else {
            table.set(id, to: .ended)
            return nil
        }
        table.set(id, to: .ending)
        let work = Task { [turns] in
            await entry.work?.value
            await turns.take()
            await endNow(entry.host)
            await turns.give()
        }
        table.entries[id]?.work = work
        return work
    }

    /// Ends all that have begun; returns what could not be ended.
    func endAll() async -> [SessionHostFailure] {
        let work = table.withLock { table in
            table.phase = .ending
            return table.ids.compactMap { end($0, in: &table) }
        }
        for work in work { await work.value }
        let (failures, listeners) = table.withLock { table in
            table.phase = .over
            let failures = table.ids.compactMap { id -> SessionHostFailure? in
                if case .failed(let failure) = table.entries[id]?.state { failure } else { nil }
            }
            return (failures, table.listeners.values)
        }
        // Not under the lock: it calls back.
        for listener in listeners { listener.finish() }
        return failures
    }

    /// What was cancelled is left to the end that cancelled it.
    private func beginNow(_ host: any SessionHost) async {
        let mayBegin = table.withLock { table in
            guard !Task.isCancelled else { return false }
            table.entries[host.id]?.isBegun = true
            table.set(host.id, to: .beginning)
            return true
        }
        guard mayBegin else { return }
        var failure: SessionHostFailure?
        do { try await host.beginSessions() } catch {
            failure = SessionHostFailure(host: host.id, phase: .begin, error: error)
        }
        // What it opened would be in the way of another try; that is not cut short either.
        if let failure, !Task.isCancelled {
            log(failure)
            await Task { await release(host) }.value
        }
        table.withLock { table in
            guard !Task.isCancelled else { return }
            table.set(host.id, to: failure.map { .failed($0) } ?? .ready)
        }
    }

    /// Ends what could not begin; if that fails, too, the host has still to be ended.
    private func release(_ host: any SessionHost) async {
        do {
            try await host.endSessions()
            table.withLock { $0.entries[host.id]?.isBegun = false }
        } catch { log(SessionHostFailure(host: host.id, phase: .end, error: error)) }
    }

    private func endNow(_ host: any SessionHost) async {
        guard table.withLock({ $0.entries[host.id]?.isBegun }) == true else {
            return table.withLock { $0.set(host.id, to: .ended) }
        }
        do {
            try await host.endSessions()
            table.withLock { $0.set(host.id, to: .ended) }
        } catch {
            let failure = SessionHostFailure(host: host.id, phase: .end, error: error)
            log(failure)
            table.withLock { $0.set(host.id, to: .failed(failure)) }
        }
    }

    private func log(_ failure: SessionHostFailure) {
        logger.error(
            "a host could not \(failure.phase.rawValue) its sessions",
            metadata: ["host": "\(failure.host)", "error": "\(failure.error)"])
    }
}
