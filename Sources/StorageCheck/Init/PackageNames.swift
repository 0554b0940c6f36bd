import ArgumentParser
import BackendSelection
import BrowserSessions

/// The names in a new package, all derived from one.
struct PackageNames: Hashable {
    /// The module: `MyBackend`.
    let module: String
    /// The prefix of its types: `My`.
    let type: String
    /// The member of `StorageBackend`: `my`.
    let member: String
    /// The program that checks the backend: `mybackend-check`.
    let program: String
    /// The backend in configurations and stamps: `my`.
    let backend: String

    init(_ name: String) throws(ValidationError) {
        let bytes = Array(name.utf8)
        guard let first = bytes.first, Self.isLetter(first),
            bytes.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "_") })
        else {
            throw ValidationError(
                "'\(name)' cannot be the name of a module: it must begin with a letter and consist"
                    + " of the letters A to Z and a to z, digits and '_'")
        }
        module = name
        let suffix = "Backend"
        let hasSuffix = name.hasSuffix(suffix) && name != suffix
        let stem = name.dropLast(hasSuffix ? suffix.count : 0)
        type = stem.prefix(1).uppercased() + stem.dropFirst()
        member = stem.lowercased()
        backend = member.replacing("_", with: "-")
        program = "\(name.lowercased())-check"
        for word in [module, member] where Self.words.contains(word) {
            throw ValidationError(
                "'\(name)' cannot be the name of a module: it is a word of Swift")
        }
        guard !Self.modules.contains(name) else {
            throw ValidationError(
                "'\(name)' is the name of a module that the package needs; choose another")
        }
        try checkBackendName()
    }

    /// Throws if no backend can have this name. Some names are keys of configuration files.
    private func checkBackendName() throws(ValidationError) {
        do throws(StorageError) {
            _ = try BackendRegistry([
                StorageBackend(name: backend, summary: "") { _ throws(StorageError) in
                    throw StorageError(.unsupported, "never opened")
                }
            ])
        } catch {
            throw ValidationError("'\(module)' cannot name a backend: \(error.message)")
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The words that cannot name a module or a member without backticks.
    private static let words: Set<String> = [
        "Any", "Self", "Type", "Protocol", "as", "associatedtype", "await", "break", "case",
        "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
        "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
        "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias",
        "var", "where", "while",
    ]

    /// The modules that the new module is built with.
    private static let modules: Set<String> = [
        "ArgumentParser", "BackendSelection", "BrowserSessions", "CPlatform",
        "CommandLineSupport", "Dispatch", "Foundation", "SessionSamples", "StorageCheck",
        "StorageConformance", "StorageEngines", "Swift", "Synchronization", "Testing", "XCTest",
        "Yams",
    ]
}
