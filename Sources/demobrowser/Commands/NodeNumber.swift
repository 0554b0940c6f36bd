/// A tab as the user names it: `3` is the third tab of the window, `i3` the third incognito tab, and `s3`
/// the third tab of the space that the window shows.
struct TabNumber: Hashable {
    var number: Int
    var isIncognito = false
    var isOfSpace = false
}

extension TabNumber: LosslessStringConvertible {
    init?(_ text: String) {
        let (isIncognito, isOfSpace) = (text.hasPrefix("i"), text.hasPrefix("s"))
        let digits = isIncognito || isOfSpace ? text.dropFirst() : text[...]
        guard let number = Int(digits), number > 0, digits.allSatisfy(\.isNumber) else {
            return nil
        }
        self.init(number: number, isIncognito: isIncognito, isOfSpace: isOfSpace)
    }

    var description: String { (isIncognito ? "i" : isOfSpace ? "s" : "") + "\(number)" }
}

/// A folder, group or split as the user names it: `n2` for the second one of the window's outline, and
/// `in2` for the second one of the incognito tabs.
struct FolderNumber: Hashable {
    var number: Int
    var isIncognito: Bool
}

extension FolderNumber: LosslessStringConvertible {
    init?(_ text: String) {
        let mark = text.hasPrefix("in") ? "in" : "n"
        guard text.hasPrefix(mark), let tab = TabNumber(String(text.dropFirst(mark.count))),
            !tab.isIncognito, !tab.isOfSpace
        else { return nil }
        self.init(number: tab.number, isIncognito: mark == "in")
    }

    var description: String { (isIncognito ? "in" : "n") + "\(number)" }
}

/// A tab or another node as the user names it.
enum NodeNumber: Hashable {
    case tab(TabNumber)
    case folder(FolderNumber)

    var isTab: Bool { if case .tab = self { true } else { false } }
}

extension NodeNumber: LosslessStringConvertible {
    init?(_ text: String) {
        guard let number = TabNumber(text).map(Self.tab) ?? FolderNumber(text).map(Self.folder)
        else { return nil }
        self = number
    }

    var description: String {
        switch self {
        case .tab(let tab): "\(tab)"
        case .folder(let folder): "\(folder)"
        }
    }
}
