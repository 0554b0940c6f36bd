extension Mutant {
    static let recovery: [Mutant] = []
}
