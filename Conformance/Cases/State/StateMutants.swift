extension Mutant {
    static let state: [Mutant] = []
}
