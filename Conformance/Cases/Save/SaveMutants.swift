extension Mutant {
    static let save: [Mutant] = []
}
