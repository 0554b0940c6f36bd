/// How far a file system keeps unsynced changes in order.
public enum DiskModel: String, Sendable, CaseIterable {
    /// Names change in order, as in the journals of ext4 and XFS. A sync of a file makes durable
    /// the names that changed before its length or its own name did. A length is there only with
    /// the names that changed before it, because the journal has lengths, too.
    case ordered
    /// Any unsynced part may be there without any other, as POSIX promises.
    case strict
}

/// A disk that forgets: what processes did to it, and what is certain to remain after a power cut.
struct SimulatedDisk: Sendable {
    let model: DiskModel
    /// The nodes, by the numbers of the file system.
    private(set) var nodes: [UInt64: Int] = [:]
    private var lastNode = 0
    private(set) var files: [Int: SimulatedFile] = [:]
    /// The names as processes see them.
    private(set) var names = NameTree()
    private(set) var durableNames = NameTree()
    private(set) var pendingNames: [NameTree.Change] = []
    /// The number of name changes so far.
    private(set) var nameCount = 0
    /// The number of actions so far.
    private(set) var actionCount = 0

    init(_ model: DiskModel) { self.model = model }

    /// Makes a disk with an image.
    ///
    /// - Parameter number: returns the file system's number for what is at a path.
    init(_ model: DiskModel, _ image: DiskImage, number: (_ path: String) throws -> UInt64) rethrows
    {
        self.init(model)
        for path in image.directories {
            apply(.makeDirectory(path: path, node: try number(path)))
        }
        for file in image.files {
            let node = try number(file.path)
            apply(.create(path: file.path, node: node))
            apply(.write(node: node, offset: 0, bytes: file.bytes[...]))
        }
        apply(.syncAll)
    }

    /// Returns the current path of a file by its number.
    func path(of number: UInt64) -> String? { nodes[number].flatMap { names.path(of: $0) } }

    var hasFiles: Bool { !files.isEmpty }

    /// Whether a power cut would lose nothing.
    var isFlushed: Bool { pendingNames.isEmpty && files.values.allSatisfy(\.isFlushed) }

    mutating func apply(_ action: DiskTrace.Action) {
        actionCount += 1
        switch action {
        case .create(let path, let number): add(path, makeNode(number))
        case .makeDirectory(let path, let number): add(path, makeNode(number), isDirectory: true)
        case .link(_, let path, let number): if let node = nodes[number] { add(path, node) }
        case .write(let number, let offset, let bytes):
            let names = nameCount
            withFile(number) { $0.write(bytes, at: offset, names: names) }
        case .truncate(let number, let length):
            let names = nameCount
            withFile(number) { $0.setLength(length, names: names) }
        case .stream(let number): withFile(number) { $0.isFollowed = false }
        case .rename(let path, let other, let number):
            if let from = names.place(of: path), let to = names.place(of: other),
                let node = nodes[number]
            {
                change(.move(from.directory, from.name, to: to.directory, to.name, node))
            }
        case .unlink(let path), .removeDirectory(let path):
            if let place = names.place(of: path) { change(.remove(place.directory, place.name)) }
        case .sync(let number, let isOfData, let isDone): sync(number, isOfData, isDone)
        case .syncRange(let number, let range):
            let isLonger = nodes[number].flatMap { files[$0] }?.hasNewLength == true
            withFile(number) { $0.flush(range) }
            if model == .ordered, isLonger { flushNames { _ in true } }
        case .syncDirectory(let path, let isDone):
            if isDone, let node = names.node(at: path) { syncDirectory(node) }
        case .syncAll:
            for node in files.keys { files[node]?.flush() }
            flushNames { _ in true }
        case .note: break
        }
    }

    // MARK: - Syncs

    private mutating func sync(_ number: UInt64, _ isOfData: Bool, _ isDone: Bool) {
        guard let node = nodes[number], let file = files[node] else { return }
        guard isDone else { return withFile(number) { $0.lose() } }
        withFile(number) { $0.flush() }
        guard model == .ordered else { return }
        // The journal is written up to the last change of the file's own node.
        if isOfData ? file.hasNewLength : !file.isFlushed {
            flushNames { _ in true }
        } else {
            flushNames(through: pendingNames.lastIndex { $0.node == node })
        }
    }

    private mutating func syncDirectory(_ node: Int) {
        switch model {
        case .ordered:
            flushNames(through: pendingNames.lastIndex { $0.directories.contains(node) })
        case .strict: flushNames { $0.directories.contains(node) }
        }
    }

    private mutating func flushNames(where isFlushed: (NameTree.Change) -> Bool) {
        for change in pendingNames where isFlushed(change) { durableNames.apply(change) }
        pendingNames.removeAll(where: isFlushed)
    }

    private mutating func flushNames(through index: Int?) {
        guard let index else { return }
        for change in pendingNames[...index] { durableNames.apply(change) }
        pendingNames.removeFirst(index + 1)
    }

    // MARK: - Nodes and names

    /// Makes a node. A number of the file system is used again after its file is gone.
    private mutating func makeNode(_ number: UInt64) -> Int {
        lastNode += 1
        nodes[number] = lastNode
        return lastNode
    }

    private mutating func add(_ path: String, _ node: Int, isDirectory: Bool = false) {
        guard let place = names.place(of: path) else { return }
        if !isDirectory, files[node] == nil { files[node] = SimulatedFile() }
        change(.add(place.directory, place.name, node, isDirectory: isDirectory))
    }

    private mutating func change(_ change: NameTree.Change) {
        names.apply(change)
        pendingNames.append(change)
        nameCount += 1
    }

    private mutating func withFile(_ number: UInt64, _ work: (inout SimulatedFile) -> Void) {
        guard let node = nodes[number], files[node] != nil else { return }
        work(&files[node, default: SimulatedFile()])
    }
}
