import Logging
import Synchronization

/// The work on each host, one task after another.
extension SessionLifecycle {
    /// Begins a host in a separate task, after its current work.
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

    /// Ends a host in a separate task, after its current work. Returns `nil` if nothing is left.
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

    /// Ends all hosts that have begun, and returns those that could not end.
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
        // Not under the lock, because it calls back.
        for listener in listeners { listener.finish() }
        return failures
    }

    /// Begins a host. After a cancellation, the end that caused it does the rest.
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
        // What the host opened would block another attempt. The release is not cut short, either.
        if let failure, !Task.isCancelled {
            log(failure)
            await Task { await release(host) }.value
        }
        table.withLock { table in
            guard !Task.isCancelled else { return }
            table.set(host.id, to: failure.map { .failed($0) } ?? .ready)
        }
    }

    /// Ends a host that could not begin. If this fails too, the host must still be ended.
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
