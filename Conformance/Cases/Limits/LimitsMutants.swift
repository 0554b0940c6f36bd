extension Mutant {
    static let limits: [Mutant] = []
}
