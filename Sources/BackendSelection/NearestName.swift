/// The search for the name that was probably meant.
public enum NearestName {
    /// Returns `; did you mean 'sqlite'?`, or nothing if no candidate is near.
    public static func suggestion(for name: String, among candidates: some Sequence<String>)
        -> String
    {
        nearest(to: name, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Returns the candidate with the fewest typing errors: at most one, or a third of its letters.
    /// A candidate that begins with the name has at most one. The first of equals; `nil` if none.
    static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(name.lowercased().unicodeScalars)
        guard (1...64).contains(wanted.count) else { return nil }
        var best: (distance: Int, name: String)?
        for candidate in candidates.sorted() {
            let letters = Array(candidate.lowercased().unicodeScalars)
            var distance = distance(wanted, letters)
            if wanted.count >= 3, letters.starts(with: wanted) { distance = 1 }
            let limit = min(max(1, max(wanted.count, letters.count) / 3), wanted.count - 1)
            if distance <= limit || distance == 0, distance < best?.distance ?? .max {
                best = (distance, candidate)
            }
        }
        return best?.name
    }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbors between two
    /// names.
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var cost = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    cost = min(cost, beforePrevious[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforePrevious, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
