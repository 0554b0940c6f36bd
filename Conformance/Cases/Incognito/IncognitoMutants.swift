extension Mutant {
    static let incognito: [Mutant] = []
}
