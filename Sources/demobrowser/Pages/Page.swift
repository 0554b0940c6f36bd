/// The content of a tab, made by the ``PageServer`` or read from a file.
struct Page: Equatable {
    var title: String
    var text: [String]
    /// The addresses that the page links to.
    var links: [String] = []
}
