import BackendSelection
import BrowserSessions
import CommandLineSupport

/// What a shell offers for words that name a store or something in it.
package enum StoreCompletion {
    /// Returns the beginnings of URLs, one for each backend.
    package static func urls(_ words: [String], _ index: Int) -> [String] {
        let begin = word(words, index)
        return StorageBackend.builtIn.map { "\($0.name):" }.filter { $0.hasPrefix(begin) }
    }

    /// Returns the options of the selected backend, or of all: `NAME=`, and behind that the choices.
    static func options(_ words: [String], _ index: Int) -> [String] {
        let begin = word(words, index)
        let selected = selection(words).map { [$0.backend] } ?? StorageBackend.builtIn
        let known = StorageOption.common + selected.flatMap(\.options)
        var texts: [String] = []
        for option in known {
            let name = "\(option.name)="
            let values: [String] =
                switch option.kind {
                case .bool: ["true", "false"]
                case .choice(let choices): choices
                case .integer, .text: []
                }
            let found = begin.hasPrefix(name) ? values.map { name + $0 } : [name]
            texts += found.filter { $0.hasPrefix(begin) && !texts.contains($0) }
        }
        return texts
    }

    /// Returns the identifiers of the sessions of the store that the words name; `[]` if there is none, or
    /// it cannot be read now.
    package static func sessions(_ words: [String], _ index: Int) async -> [String] {
        let begin = word(words, index)
        guard let selection = selection(words),
            let ids = try? await withOpen(selection, to: .look, { try await $0.sessions() })
        else { return [] }
        return ids.filter { $0.kind.role != .notes }.map(\.description)
            .filter { $0.hasPrefix(begin.uppercased()) || $0.hasPrefix(begin) }
    }

    /// Returns the word that is completed, wherever in the line it is.
    private static func word(_ words: [String], _ index: Int) -> String {
        words.indices.contains(index) ? words[index] : ""
    }

    /// Returns the store that a command line names, or the one in the current folder.
    private static func selection(_ words: [String]) -> ResolvedSelection? {
        guard let registry = try? BackendRegistry.tool() else { return nil }
        var named: [String: String] = [:]
        for (word, next) in zip(words, words.dropFirst())
        where ["--storage", "--config"].contains(word) {
            named[word] = next
        }
        if named["--config"] == "-" { return nil }
        var request = SelectionRequest(
            storage: named["--storage"], configurationFile: named["--config"],
            environment: OwnProgram.environment, workingDirectory: OwnProgram.workingDirectory)
        request.usesWorkingDirectory = true
        if named.isEmpty {
            let words = words.dropFirst(2).reversed().filter { !$0.isEmpty && !$0.hasPrefix("-") }
            for word in words {
                request.store = word
                if let selection = try? request.resolve(registry: registry) { return selection }
            }
            request.store = nil
        }
        return try? request.resolve(registry: registry)
    }
}
