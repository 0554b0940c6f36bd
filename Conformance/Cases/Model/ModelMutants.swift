extension Mutant {
    static let model: [Mutant] = []
}
