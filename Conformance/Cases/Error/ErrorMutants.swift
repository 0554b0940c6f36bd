extension Mutant {
    static let error: [Mutant] = []
}
