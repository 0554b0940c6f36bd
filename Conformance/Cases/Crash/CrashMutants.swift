extension Mutant {
    static let crash: [Mutant] = []
}
