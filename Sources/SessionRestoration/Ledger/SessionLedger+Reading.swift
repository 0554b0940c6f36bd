import BrowserSessions

/// What is asked of the store beside saving; each is watched like every call.
extension SessionLedger {
    func sessions() async throws(StorageError) -> [SessionID] {
        try await door.ask("sessions") { storage throws(StorageError) in
            try await storage.sessions()
        }
    }

    /// `nil` if the store does not have it.
    func restore(
        _ id: SessionID, _ generation: SessionGeneration = .current
    ) async throws(StorageError) -> RestoredSession? {
        try await door.ask("restore") { storage throws(StorageError) in
            try await storage.restore(id, generation: generation)
        }
    }

    func state(of keys: [TabStateKey]) async throws(StorageError) -> [TabStateKey: [UInt8]] {
        try await door.ask("state") { storage throws(StorageError) in
            try await storage.state(of: keys)
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
