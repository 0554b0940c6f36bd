extension Mutant {
    static let restore: [Mutant] = []
}
