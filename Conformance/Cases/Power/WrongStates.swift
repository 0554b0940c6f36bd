/// The states with something wrong, counted by kind.
struct WrongStates: Sendable {
    private var counts: [String: Int] = [:]
    private(set) var first: String?
    /// The first of these images.
    private(set) var firstImage: DiskImage?

    /// - Parameter place: what had happened before.
    mutating func note(_ message: String, _ place: String? = nil, _ image: DiskImage? = nil) {
        // Numbers distinguish states of one kind.
        let kind = message.split(separator: " ").map { word in
            word.contains(where: \.isNumber) ? "…" : word
        }
        counts[kind.prefix(12).joined(separator: " "), default: 0] += 1
        if first == nil {
            first = ([place, message].compactMap(\.self)).joined(separator: ": ")
            firstImage = image
        }
    }

    /// Throws a ``Violation`` if there are any.
    func conclude(of count: Int) throws {
        guard let first else { return }
        let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.value) times: \($0.key)" }
        throw Violation(
            """
            \(counts.values.reduce(0, +)) of \(count) states are wrong. The first, \(first). \
            All: \(kinds.joined(separator: "; "))
            """)
    }
}
