import SessionSamples

/// Commands as a hasty user would give them; some of them name tabs that are not there.
struct RandomCommands {
    /// Incognito tabs show pages of these numbers, and no other tab does.
    static let hiddenPages = 777_000...777_999

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next(_ count: Int) -> [String] { (0..<count).map { _ in next() } }

    mutating func next() -> String {
        switch random.integer(in: 0...99) {
        case 0..<18: "open \(page)"
        case 18..<24: "select \(tab)"
        case 24..<32: "close \(tab)"
        case 32..<34: "close \(tab) \(node) \(tab)"
        case 34..<50: structure
        case 50..<56: "move \(tab) \(tab)"
        case 56..<62: "to \(tab) \(window)"
        case 62..<65: "pin \(tab)"
        case 65..<67: "unpin \(tab)"
        case 67..<71: "group \(["news", "work", "play"][random.integer(in: 0...2)]) \(tab) \(tab)"
        case 71..<73: "ungroup \(tab)"
        case 73..<75: "window"
        case 75..<80: "window \(window)"
        case 80..<83: "close window"
        case 83..<87: "incognito demo:page/\(random.integer(in: Self.hiddenPages))"
        case 87..<89: "close i1"
        case 89: "to i1 \(window)"
        case 90..<93: "go \(page)"
        case 93: "go back"
        case 94: "go forward"
        case 95: "go scroll \(random.integer(in: 0...4))"
        case 96: "undo"
        case 97: ["undo", "closeall", "undo-closeall"][random.integer(in: 0...2)]
        case 98: random.integer(in: 0...1) == 0 ? "background" : "foreground"
        default: "save"
        }
    }

    /// A command that makes, changes or ends a folder, a split or a branch.
    private var structure: String {
        mutating get {
            switch random.integer(in: 0...15) {
            case 0..<3: "folder \(random.integer(in: 1...9)) \(node) \(tab)"
            case 3: "folder empty"
            case 4..<6: "split \(tab) \(node)"
            case 6..<8: "into \(folder) \(node) \(tab)"
            case 8..<11: "below \(node) \(tab)"
            case 11: "out \(tab) \(node)"
            case 12: "rename \(folder) \(random.integer(in: 1...9))"
            case 13: "\(random.integer(in: 0...1) == 0 ? "collapse" : "expand") \(folder)"
            case 14: "pin \(folder)"
            default: "dissolve \(folder)"
            }
        }
    }

    private var node: String {
        mutating get { random.integer(in: 0...2) == 0 ? folder : "\(tab)" }
    }

    private var folder: String {
        mutating get { "n\(random.integer(in: 1...4))" }
    }

    private var page: String {
        mutating get { "demo:page/\(random.integer(in: 1...699))" }
    }

    private var tab: Int {
        mutating get { random.integer(in: 1...9) }
    }

    private var window: Int {
        mutating get { random.integer(in: 1...4) }
    }
}
