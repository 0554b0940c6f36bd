/// How much of what was not synced a file system keeps in order.
enum DiskModel: String, Sendable, CaseIterable {
    /// Names change in the order in which they were changed: ext4 and XFS, whose journal has them. A
    /// sync of a file makes the names durable that changed before its length or its own name did, and a
    /// length is there only with the names that changed before it: the journal has lengths, too.
    case ordered
    /// What POSIX promises: any part of what was not synced may be there without any other.
    case strict
}

/// A disk that forgets: what processes did to it, and what of it is certain to be there after a power
/// cut.
struct SimulatedDisk: Sendable {
    let model: DiskModel
    /// By the numbers of the file system.
    private(set) var nodes: [UInt64: Int] = [:]
    private var lastNode = 0
    private(set) var files: [Int: SimulatedFile] = [:]
    /// As processes see them.
    private(set) var names = NameTree()
    private(set) var durableNames = NameTree()
    private(set) var pendingNames: [NameTree.Change] = []
    /// How many names were changed until now.
    private(set) var nameCount = 0

    init(_ model: DiskModel) { self.model = model }

    /// A disk on which an image lies.
    ///
    /// - Parameter number: the number that the file system has given to what is at a path.
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

    /// Where the file of a number is now.
    func path(of number: UInt64) -> String? { nodes[number].flatMap { names.path(of: $0) } }

    var hasFiles: Bool { !files.isEmpty }

    /// Whether a power cut would lose nothing.
    var isSettled: Bool { pendingNames.isEmpty && files.values.allSatisfy(\.isSettled) }

    mutating func apply(_ action: DiskTrace.Action) {
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
            withFile(number) { $0.settle(range) }
            if model == .ordered, isLonger { settleNames { _ in true } }
        case .syncDirectory(let path, let isDone):
            if isDone, let node = names.node(at: path) { syncDirectory(node) }
        case .syncAll:
            for node in files.keys { files[node]?.settle() }
            settleNames { _ in true }
        case .note: break
        }
    }

    // MARK: - Syncs

    private mutating func sync(_ number: UInt64, _ isOfData: Bool, _ isDone: Bool) {
        guard let node = nodes[number], let file = files[node] else { return }
        guard isDone else { return withFile(number) { $0.lose() } }
        withFile(number) { $0.settle() }
        guard model == .ordered else { return }
        // The journal is written up to the last change of the file's own node.
        if isOfData ? file.hasNewLength : !file.isSettled {
            settleNames { _ in true }
        } else {
            settleNames(through: pendingNames.lastIndex { $0.node == node })
        }
    }

    private mutating func syncDirectory(_ node: Int) {
        switch model {
        case .ordered:
            settleNames(through: pendingNames.lastIndex { $0.directories.contains(node) })
        case .strict: settleNames { $0.directories.contains(node) }
        }
    }

    private mutating func settleNames(where isSettled: (NameTree.Change) -> Bool) {
        for change in pendingNames where isSettled(change) { durableNames.apply(change) }
        pendingNames.removeAll(where: isSettled)
    }

    private mutating func settleNames(through index: Int?) {
        guard let index else { return }
        for change in pendingNames[...index] { durableNames.apply(change) }
        pendingNames.removeFirst(index + 1)
    }

    // MARK: - Nodes and names

    /// A number of the file system is given again once its file is gone.
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
