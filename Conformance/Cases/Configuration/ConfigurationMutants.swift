extension Mutant {
    static let configuration: [Mutant] = []
}
