import BrowserSessions

/// Identifies what made a store: the content of `store.json`, kept in two copies.
struct StoreIdentity: Equatable {
    static let fileNames = ["store.json", "store-copy.json"]
    /// The name of one of them once the store is being removed.
    static let removedName = "store.removed"
    /// The version of the layout of a store directory and of its records.
    static let currentFormat = 2

    var backend: String
    var format = currentFormat
    var engineFormat: Int
    var createdBy = "browser-sessions"
    /// Random letters and digits, which its copies and backups have, too. A store has some from its first
    /// opening for writing on; empty before that.
    var id = ""

    private var checksum: UInt32 {
        let text = "\(backend)/\(format)/\(engineFormat)/\(createdBy)"
        return CRC32C.checksum([UInt8]((id.isEmpty ? text : "\(text)/\(id)").utf8))
    }

    /// A JSON object of strings and numbers, one on each line.
    var json: [UInt8] {
        let line = id.isEmpty ? "" : "  \"id\": \"\(id)\",\n"
        let text = """
            {
            \(line)  "backend": "\(backend)",
              "format": \(format),
              "engineFormat": \(engineFormat),
              "createdBy": "\(createdBy)",
              "checksum": \(checksum)
            }

            """
        return [UInt8](text.utf8)
    }

    /// Returns the text without spaces, a comma at the end, and quotes.
    private static func bare(_ text: Substring) -> Substring {
        func isBorder(_ character: Character) -> Bool { " ,\"".contains(character) }
        var text = text.drop(while: isBorder)
        while let last = text.last, isBorder(last) { text.removeLast() }
        return text
    }
}

extension StoreIdentity {
    /// Returns `nil` if the bytes are not an identity or were changed.
    init?(json: [UInt8]) {
        var texts: [Substring: Substring] = [:]
        for line in String(decoding: json, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            texts[Self.bare(parts[0])] = Self.bare(parts[1])
        }
        guard let backend = texts["backend"], let createdBy = texts["createdBy"],
            let format = texts["format"].flatMap({ Int($0) }),
            let engineFormat = texts["engineFormat"].flatMap({ Int($0) })
        else { return nil }
        self.init(backend: String(backend), engineFormat: engineFormat)
        self.format = format
        self.createdBy = String(createdBy)
        id = String(texts["id"] ?? "")
        guard id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { return nil }
        guard texts["checksum"].flatMap({ UInt32($0) }) == checksum else { return nil }
    }

    /// Returns the same identity with the id of a store that was found, or with a new one if there may be one.
    func ofStore(_ found: StoreIdentity?, _ environment: StoreEnvironment?)
        -> StoreIdentity
    {
        var own = self
        if let found { own.id = found.id }
        if own.id.isEmpty, let environment {
            own.id = String(environment.random(), radix: 36)
        }
        return own
    }

    /// Throws `StorageError.Code.incompatibleFormat` if our engine cannot read this store.
    func requireReadable(_ found: StoreIdentity, at path: String) throws(StorageError) {
        guard found.backend == backend else {
            throw StorageError(
                .incompatibleFormat,
                """
                the store at '\(path)' was made by backend '\(found.backend)', not \
                '\(backend)'; open it with that, or copy it: sessionctl migrate \
                --from \(found.backend)://\(path) --to \(backend)://NEW-LOCATION
                """)
        }
        guard found.format >= format else {
            throw StorageError(
                .incompatibleFormat,
                """
                the store at '\(path)' has format \(found.format), which no release had and this version \
                does not read; export its sessions with the version that made it
                """)
        }
        guard found.format == format, found.engineFormat <= engineFormat else {
            throw StorageError(
                .incompatibleFormat,
                """
                the store at '\(path)' has format \(found.format).\(found.engineFormat), newer \
                than \(format).\(engineFormat), which this version reads; update it
                """)
        }
    }

    /// Returns the first copy in a directory that is sound; `nil` if there is none.
    static func found(in directory: any FileDirectory) throws(StorageError) -> StoreIdentity? {
        for name in fileNames + [removedName] {
            if let identity = try read(name, in: directory) { return identity }
        }
        return nil
    }

    /// Returns `nil` if there is no such file or it is damaged: there is another copy.
    static func read(_ name: String, in directory: any FileDirectory) throws(StorageError)
        -> StoreIdentity?
    {
        guard let status = try directory.status(of: name) else { return nil }
        guard status.kind == .file else {
            throw StorageError(.unsafeLocation, "'\(directory.path(of: name))' is not a file")
        }
        guard status.size <= 4096 else { return nil }
        do throws(StorageError) {
            return StoreIdentity(json: try directory.read(name))
        } catch {
            // A file may be removed between two checks without a lock.
            if error.code == .notFound { return nil }
            throw error
        }
    }
}
