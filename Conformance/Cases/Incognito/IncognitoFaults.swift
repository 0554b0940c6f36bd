import BrowserSessions

extension SessionStorage {
    /// Deletes by removing the sessions that it considers incognito.
    func deletingSessions(where isMeant: @escaping @Sendable (SessionID) -> Bool) -> AlteredStorage
    {
        on(DeleteIncognitoRequest.self) { _, store in
            for id in try await store.sessions() where isMeant(id) {
                _ = try await store.save(SessionChanges(.remove(id)))
            }
        }
    }
    /// Answers as if incognito were deleted, until something is saved or the store is opened again.
    func hidingIncognito() -> AlteredStorage {
        let isHidden = FaultMemory(false)
        return on(DeleteIncognitoRequest.self) { _, _ in isHidden.set(true) }
            .saving { _ in isHidden.set(false) }
            .answering(SessionsRequest.self) {
                if isHidden.value { $0.removeAll { $0.partition == .incognito } }
            }
            .answering(RestoreRequest.self) {
                if isHidden.value { $0.removeAll { $0.id.partition == .incognito } }
            }
    }
}
