public import BrowserSessions

/// What is made of the few operations.
extension FileDirectory {
    public func has(_ name: String) throws(StorageError) -> Bool { try status(of: name) != nil }

    /// The path of a name, for messages.
    public func path(of name: String) -> String { "\(path)/\(name)" }

    public func rename(_ name: String, to other: String) throws(StorageError) {
        try rename(name, to: other, in: nil, replacing: true)
    }

    /// Opens a directory that is in this one; makes a durable one if none is there. It is synced, too,
    /// if it was there: whoever made it may have been killed before that.
    public func makeDurableDirectory(_ name: String) throws(StorageError) -> any FileDirectory {
        try makeDirectory(name)
        try sync()
        return try directory(name)
    }

    /// The whole file. Whoever cannot know how large it is asks for its status first.
    public func read(_ name: String) throws(StorageError) -> [UInt8] {
        let file = try open(name, .read)
        return try file.read(try file.size(), at: 0)
    }

    /// Writes a file under a temporary name, syncs it, gives it a name that nothing has and syncs the
    /// directory: the name is there with all of the contents or not at all.
    ///
    /// Nothing is replaced but what such a call left unfinished: if something has the name, this throws.
    public func create(_ name: String, with bytes: [UInt8]) throws(StorageError) {
        try write(bytes, to: name, replacing: false)
    }

    /// The same, replacing a file that has the name.
    public func replace(_ name: String, with bytes: [UInt8]) throws(StorageError) {
        try write(bytes, to: name, replacing: true)
    }

    private func write(_ bytes: [UInt8], to name: String, replacing: Bool) throws(StorageError) {
        let draft = name + ".new"
        try remove(draft)
        do throws(StorageError) {
            let file = try open(draft, .new)
            try file.write(bytes)
            try file.syncData()
            try rename(draft, to: name, in: nil, replacing: replacing)
        } catch {
            try? removeEntry(draft)
            throw error
        }
        try sync()
    }

    /// Removes a file, link or whole directory; nothing happens if it is not there.
    public func remove(_ name: String) throws(StorageError) {
        guard let status = try status(of: name) else { return }
        if status.kind == .directory {
            let inner = try directory(name)
            for name in try inner.names() { try inner.remove(name) }
        }
        try removeEntry(name)
    }

    /// How many bytes a file, or all files of a directory, have.
    public func bytes(of name: String) throws(StorageError) -> Int {
        guard let status = try status(of: name) else { return 0 }
        guard status.kind == .directory else { return status.size }
        let inner = try directory(name)
        var total = 0
        for name in try inner.names() { total += try inner.bytes(of: name) }
        return total
    }

    /// Copies a file or a whole directory piece by piece; the copy survives a power cut once its parent
    /// is synced. Links and special files are left out.
    ///
    /// - Parameter durably: `false` for a copy that nobody needs after a power cut; nothing of it is synced.
    public func copy(
        _ name: String, to other: String, in target: any FileDirectory, durably: Bool = true
    ) throws(StorageError) {
        switch try status(of: name)?.kind {
        case .file:
            let (source, copy) = (try open(name, .read), try target.open(other, .new))
            var offset = 0
            while case let piece = try source.read(1 << 20, at: offset), !piece.isEmpty {
                try copy.write(piece)
                offset += piece.count
            }
            if durably { try copy.syncData() }
        case .directory:
            try target.makeDirectory(other)
            let (inner, innerCopy) = (try directory(name), try target.directory(other))
            for name in try inner.names() {
                try inner.copy(name, to: name, in: innerCopy, durably: durably)
            }
            if durably { try innerCopy.sync() }
        case .link, .other, nil: return
        }
    }
}
