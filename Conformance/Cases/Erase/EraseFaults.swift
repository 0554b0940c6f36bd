import BrowserSessions
extension SessionStorage {
    /// Erases by taking everything out, and putting it back into the empty store.
    func emptyingAndFilling() -> AlteredStorage {
        on(EraseRequest.self) { erase, store in
            var filling = SessionChanges()
            var emptying = SessionChanges()
            for session in try await store.restore(store.sessions()) {
                emptying.remove(session.id)
                filling.put(session.attributes, for: session.id)
                for tab in session.tabs { filling.put(tab, in: session.id) }
                let keys = try await store.stateKeys(in: session.id)
                for (key, bytes) in try await store.states(of: keys) {
                    filling.put(bytes, for: key)
                }
            }
            _ = try await store.save(emptying, durability: .powerLoss)
            let receipt = try await erase.perform(on: store)
            _ = try await store.save(filling, durability: .powerLoss)
            return receipt
        }
    }
}
