extension SessionStorage {
    /// Does the work with the store and closes it, also when the work fails; then that failure counts.
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
