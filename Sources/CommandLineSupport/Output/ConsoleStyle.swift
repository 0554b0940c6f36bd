/// How a command prints.
package struct ConsoleStyle: Sendable {
    /// Whether nothing is said but errors and what was asked for.
    package var isQuiet: Bool
    /// Whether results have colors.
    package var isColored: Bool

    /// Creates a style; by default, that of a pipe.
    package init(isQuiet: Bool = false, isColored: Bool = false) {
        self.isQuiet = isQuiet
        self.isColored = isColored
    }

    /// The style of the current command and of the tasks that it starts.
    @TaskLocal package static var current = ConsoleStyle()
}

/// When a command colors its results.
package enum ColorChoice: String, CaseIterable, Sendable {
    /// In a terminal, unless `NO_COLOR` is set to anything but nothing, or the terminal is `dumb`.
    case auto
    case always
    case never

    /// Returns whether results have colors.
    package func isColored(isTerminal: Bool, environment: [String: String]) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto:
            isTerminal && environment["NO_COLOR", default: ""].isEmpty
                && environment["TERM"] != "dumb"
        }
    }
}

/// A way in which a terminal shows a text apart from others.
package enum TextStyle: Int, Sendable {
    case bold = 1
    case dim = 2
    case red = 31
}

/// One line of a result, which a terminal may show apart from others.
package struct StyledLine: Sendable {
    /// The line without its style.
    package let text: String
    private let style: TextStyle?

    /// Creates a line; without a style, a usual one.
    package init(_ text: String, _ style: TextStyle? = nil) {
        (self.text, self.style) = (text, style)
    }

    /// Returns the line as a terminal gets it. All text is made visible.
    package func rendered(isColored: Bool) -> String {
        let text = text.visible
        guard isColored, let style, !text.isEmpty else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }
}

extension Console {
    /// Writes one line of a result, with colors if the command has them.
    package static func line(_ line: StyledLine) throws(OutputError) {
        let text = line.rendered(isColored: ConsoleStyle.current.isColored)
        try StandardStream.output.write(text + "\n")
    }

    /// Writes a line for people that is no error. A quiet command leaves it out.
    package static func remark(_ line: String) { remarks([line]) }

    /// Writes several lines for people that are no errors. A quiet command leaves them out.
    package static func remarks(_ lines: [String]) {
        if !ConsoleStyle.current.isQuiet { messages(lines) }
    }
}
