extension SessionStorage {
    /// Runs the work and closes the store, even if the work fails. Then its error is thrown.
    package func whileOpen<Result>(
        _ work: (any SessionStorage) async throws -> Result
    ) async throws -> Result {
        let result: Result
        do {
            result = try await work(self)
        } catch {
            try? await close()
            throw error
        }
        try await close()
        return result
    }
}
