/// The reason that no package was written. Nothing was changed.
enum InitMistake: Error, Hashable, CustomStringConvertible {
    case notAnIdentifier(String)
    case wordOfSwift(String)
    case takenName(String)
    case notABackendName(String, reason: String)
    case notEmpty(String)
    case notAFolder(String)
    case twoDependencies
    case noDependency
    case notAURL(String)
    case notAClone(String)

    var description: String {
        switch self {
        case .notAnIdentifier(let name):
            "'\(name)' cannot be the name of a module: it must begin with a letter and consist of"
                + " the letters A to Z and a to z, digits and '_'"
        case .wordOfSwift(let name):
            "'\(name)' cannot be the name of a module: it is a word of Swift"
        case .takenName(let name):
            "'\(name)' is the name of a module that the package needs; choose another"
        case .notABackendName(let name, let reason): "'\(name)' cannot name a backend: \(reason)"
        case .notEmpty(let folder): "'\(folder)' is not empty; nothing was written"
        case .notAFolder(let folder): "'\(folder)' is there and is no folder; nothing was written"
        case .twoDependencies: "name --package-path or --package-url, not both"
        case .noDependency:
            "this tool does not lie in a clone of Browser Sessions; name --package-path or"
                + " --package-url"
        case .notAURL(let text):
            "'\(text)' is no URL of a repository; it should look like https://host/path"
        case .notAClone(let folder): "'\(folder)' is no clone of Browser Sessions"
        }
    }
}
