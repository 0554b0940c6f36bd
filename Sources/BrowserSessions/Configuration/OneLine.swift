extension String {
    /// The text in one line. Line ends and control characters become spaces, runs of spaces become
    /// one, and the ends are trimmed. Messages from disks and servers may contain any of these.
    package var inOneLine: String {
        guard unicodeScalars.contains(where: \.breaksLine) else { return self }
        return
            unicodeScalars
            .split(whereSeparator: \.breaksLine)
            .map { String($0).trimmingSpaces }
            .filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    private var trimmingSpaces: String {
        let start = drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}

extension Unicode.Scalar {
    fileprivate var breaksLine: Bool {
        value < 0x20 || (0x7F...0x9F).contains(value) || value == 0x2028 || value == 0x2029
    }
}
