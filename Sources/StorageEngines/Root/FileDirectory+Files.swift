public import BrowserSessions

extension Int {
    /// Returns the sum, or the largest number on overflow: files with holes can have any size.
    fileprivate func plus(_ other: Int) -> Int {
        let (sum, isTooMuch) = addingReportingOverflow(other)
        return isTooMuch ? .max : sum
    }
}

/// For files that read and write arrays only.
extension OpenFile {
    public func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int)
        throws(StorageError) -> Int
    {
        let bytes = try read(memory.count, at: offset)
        memory.copyBytes(from: bytes)
        return bytes.count
    }

    public func write(_ memory: UnsafeRawBufferPointer) throws(StorageError) {
        try write([UInt8](memory))
    }
}

/// Operations made of the few required ones.
extension FileDirectory {
    public func has(_ name: String) throws(StorageError) -> Bool { try status(of: name) != nil }

    /// Takes the exclusive lock, where there is no other.
    public func lockShared() throws(StorageError) -> Bool { try lock() }

    /// Returns the path of a name, for messages.
    public func path(of name: String) -> String { "\(path)/\(name)" }

    /// Renames a file or directory in this directory, and replaces a file that has the new name.
    public func rename(_ name: String, to other: String) throws(StorageError) {
        try rename(name, to: other, in: nil, replacing: true)
    }

    /// Opens a directory in this one, and makes a durable one if it is missing. Also syncs an
    /// existing one: the process that made it may have been killed before it synced.
    public func makeDurableDirectory(_ name: String) throws(StorageError) -> any FileDirectory {
        try makeDirectory(name)
        try sync()
        return try directory(name)
    }

    /// Reads a whole file. Callers that cannot know its size check its status first.
    public func read(_ name: String) throws(StorageError) -> [UInt8] {
        let file = try open(name, mode: .read)
        return try file.read(try file.size(), at: 0)
    }

    /// Returns the content of a file; `nil` if nothing or something else has the name, or if the file is larger.
    func read(_ name: String, ifAtMost limit: Int) throws(StorageError) -> [UInt8]? {
        guard let status = try status(of: name), status.kind == .file, status.size <= limit
        else { return nil }
        return try read(name)
    }

    /// Writes a file under a temporary name, syncs it, gives it an unused name and syncs the
    /// directory: the name exists with all of the contents or not at all.
    ///
    /// Replaces only what such a call left unfinished: throws if the name is taken.
    public func create(_ name: String, with bytes: [UInt8]) throws(StorageError) {
        try write(bytes, to: name, replacing: false)
    }

    /// Like the call above, but replaces a file that has the name.
    public func replace(_ name: String, with bytes: [UInt8]) throws(StorageError) {
        try write(bytes, to: name, replacing: true)
    }

    private func write(_ bytes: [UInt8], to name: String, replacing: Bool) throws(StorageError) {
        let draft = name + ".new"
        try remove(draft)
        do throws(StorageError) {
            let file = try open(draft, mode: .new)
            try file.write(bytes)
            try file.syncData()
            try rename(draft, to: name, in: nil, replacing: replacing)
        } catch {
            try? removeEntry(draft)
            throw error
        }
        try sync()
    }

    /// Removes a file, link or whole directory. Does nothing if it does not exist.
    public func remove(_ name: String) throws(StorageError) {
        guard let status = try status(of: name) else { return }
        if status.kind == .directory {
            let inner = try directory(name)
            for name in try inner.names() { try inner.remove(name) }
        }
        try removeEntry(name)
    }

    /// Returns the size of a file, or of all files of a directory, in bytes.
    public func bytes(of name: String) throws(StorageError) -> Int {
        guard let status = try status(of: name) else { return 0 }
        guard status.kind == .directory else { return status.size }
        let inner = try directory(name)
        var total = 0
        for name in try inner.names() { total = total.plus(try inner.bytes(of: name)) }
        return total
    }

    /// Returns how many bytes of a file, or of all files of a directory, were ever written: a file
    /// may be large and take no space.
    public func writtenBytes(of name: String) throws(StorageError) -> Int {
        switch try status(of: name)?.kind {
        case .file:
            return try open(name, mode: .read).writtenBytes()
        case .directory:
            let inner = try directory(name)
            var total = 0
            for name in try inner.names() { total = total.plus(try inner.writtenBytes(of: name)) }
            return total
        case .link, .other, nil: return 0
        }
    }

    /// Copies a file or a whole directory piece by piece; the copy survives a power cut once its
    /// parent is synced. Links and special files are left out. Holes take no time, and no space in
    /// the copy.
    ///
    /// - Parameter name: the name in this directory.
    /// - Parameter other: the name of the copy.
    /// - Parameter target: the directory of the copy.
    /// - Parameter durably: `false` for a copy that is not needed after a power cut, or is synced
    ///   later: nothing of it is waited for.
    public func copy(
        _ name: String, to other: String, in target: any FileDirectory, durably: Bool = true
    ) throws(StorageError) {
        switch try status(of: name)?.kind {
        case .file:
            _ = try target.open(other, mode: .new)
            let copy = try target.open(other, mode: .append)
            try copyBytes(of: try open(name, mode: .read), to: copy)
            if durably { try copy.syncData() } else { copy.beginSync() }
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

    private func copyBytes(of source: any OpenFile, to copy: any OpenFile) throws(StorageError) {
        let size = try source.size()
        var place = 0
        while let range = try source.written(from: place), range.lowerBound < size {
            if range.lowerBound > place { try copy.truncate(to: range.lowerBound) }
            place = range.lowerBound
            let end = min(range.upperBound, size)
            while place < end {
                let piece = try source.read(min(1 << 20, end - place), at: place)
                // The file was cut in the meantime.
                if piece.isEmpty { return }
                try copy.write(piece)
                place += piece.count
            }
        }
        if place < size { try copy.truncate(to: size) }
    }
}
