import BrowserSessions
extension SessionStorage {
    /// Lets through the saves that wait in the store's queue when it is closed, and says so.
    func closingSlowly(_ isClosing: FaultMemory<Bool>) -> AlteredStorage {
        on(CloseRequest.self) { close, store in
            isClosing.set(true)
            // Each answer lets through the saves that wait in the store's queue.
            for _ in 0..<50 { _ = try await store.sessions() }
            try await close.perform(on: store)
        }
    }
}
