import CommandLineSupport

/// A part of what people read: a sentence, several, a table, or nothing.
protocol TextPart {
    var styledLines: [StyledLine] { get }
}

extension String: TextPart {
    var styledLines: [StyledLine] { [StyledLine(self)] }
}

extension Array: TextPart where Element: TextPart {
    var styledLines: [StyledLine] { flatMap(\.styledLines) }
}

extension Optional: TextPart where Wrapped: TextPart {
    var styledLines: [StyledLine] { self?.styledLines ?? [] }
}
