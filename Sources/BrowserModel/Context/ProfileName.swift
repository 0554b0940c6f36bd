/// The rules for names of profiles, which are also directory names.
enum ProfileName {
    static let maximumLength = 64
    /// The maximum size of one path component in file systems.
    static let maximumBytes = 255

    /// The files of ``ApplicationContext/init(keptIn:services:now:)`` beside the profiles.
    static let listFile = "profiles.json"
    static let settingsFile = "settings.json"
    private static let ofFiles = [listFile, settingsFile]

    /// Throws ``ProfileError/illegalName(_:reason:)`` unless the name has 1 to 64 characters and is
    /// one path component on every known system.
    static func check(_ name: String) throws(ProfileError) {
        guard (1...maximumLength).contains(name.count) else {
            throw .illegalName(
                name, reason: "it has \(name.count) characters; 1 to \(maximumLength) are allowed")
        }
        guard name.utf8.count <= maximumBytes else {
            throw .illegalName(
                name, reason: "it has \(name.utf8.count) bytes; \(maximumBytes) are allowed")
        }
        guard name != ".", name != ".." else {
            throw .illegalName(name, reason: "it stands for a directory of the system")
        }
        guard !ofFiles.contains(folded(name)) else {
            throw .illegalName(name, reason: "a file beside the profiles has it")
        }
        let isControl = { (scalar: Unicode.Scalar) in
            scalar.properties.generalCategory == .control
        }
        if let scalar = name.unicodeScalars.first(where: { "/\\:".unicodeScalars.contains($0) }) {
            throw .illegalName(name, reason: "'\(scalar)' separates parts of a path")
        }
        guard !name.unicodeScalars.contains(where: isControl) else {
            throw .illegalName(name, reason: "it has a control character")
        }
        guard name.first?.isWhitespace == false, name.last?.isWhitespace == false,
            name.last != "."
        else {
            throw .illegalName(
                name, reason: "it begins or ends with a space, or ends with a full stop")
        }
    }

    /// Returns the same value for names that could be one directory if case is ignored.
    static func folded(_ name: String) -> String { name.uppercased().lowercased() }
}
