import BrowserSessions

/// What is asked of the store beside saving; each is watched like every call.
extension SessionLedger {
    func sessions() async throws(StorageError) -> [SessionID] {
        try await door.ask("sessions") { storage throws(StorageError) in
            try await storage.sessions()
        }
    }

    /// What the regular side has, or will have once everything is saved that waits now.
    func knownSessions() async throws(StorageError) -> [SessionID] {
        // In turn: what is on its way neither waits any more nor is in the store yet.
        let saved = try await door.inTurn(.regular) { () throws(StorageError) in
            try await sessions()
        }
        return Set(saved.filter { $0.side == .regular })
            .union(regular.waitingSessions.keys)
            .union(regular.waiting.values.compactMap(\.session)).sorted()
    }

    /// Another number after each removal of a session.
    var removals: Int { regular.removals + incognito.removals }

    /// `nil` if the store does not have it.
    func restore(
        _ id: SessionID, _ generation: SessionGeneration = .current
    ) async throws(StorageError) -> RestoredSession? {
        try await door.ask("restore") { storage throws(StorageError) in
            try await storage.restore(id, generation: generation)
        }
    }

    /// Several sessions as they were at one moment; those that the store does not have are left out.
    func restore(_ ids: [SessionID]) async throws(StorageError) -> [RestoredSession] {
        try await door.ask("restore") { storage throws(StorageError) in
            try await storage.restore(ids, generation: .current)
        }
    }

    func state(of keys: [TabStateKey]) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        try await door.ask("state") { storage throws(StorageError) in
            try await storage.state(of: keys)
        }
    }

    /// Gives up what was lost.
    func repair() async throws(StorageError) {
        try await door.inTurn(.regular) { () throws(StorageError) in
            _ = try await door.ask("repair", changing: .regular) { storage throws(StorageError) in
                try await storage.repair()
            }
        }
    }

    /// Leaves nothing of what was removed in any file of the store.
    func eraseRemoved() async throws(StorageError) {
        try await door.inTurn(.regular) { () throws(StorageError) in
            try await door.ask("erase removed", changing: .regular) {
                storage throws(StorageError) in
                try await storage.eraseRemoved()
            }
        }
    }
}
