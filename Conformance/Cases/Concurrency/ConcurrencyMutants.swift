extension Mutant {
    static let concurrency: [Mutant] = []
}
