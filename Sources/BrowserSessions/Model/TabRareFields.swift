/// The fields of a tab that few tabs have. They are kept apart, so that the others take no memory.
package struct TabRareFields: Hashable, Sendable {
    var name = ""
    var container: NodeID?
    package var weight: Int32 = 0
    var isFolded = false
    var isHidden = false
    var pinnedPage: PinnedPage?
    package var closedFrom: FormerPlace?

    static let none = TabRareFields()

    var isNone: Bool {
        name.isEmpty && container == nil && weight == 0 && !isFolded && !isHidden
            && pinnedPage == nil && closedFrom == nil
    }

    /// Visits the fields, which follow those of every tab.
    mutating func visitFields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
        try visitor.text(Field(13, "name"), &name)
        try visitor.identifier(Field(14, "container"), &container)
        try visitor.number(Field(15, "weight"), &weight)
        try visitor.flag(Field(16, "isFolded"), &isFolded)
        try visitor.flag(Field(17, "isHidden"), &isHidden)
        try visitor.record(Field(18, "pinnedPage"), &pinnedPage)
        try visitor.record(Field(19, "closedFrom"), &closedFrom)
    }

    package final class Box: Hashable, Sendable {
        package let fields: TabRareFields

        init(_ fields: TabRareFields) { self.fields = fields }

        package static func == (left: Box, right: Box) -> Bool {
            left === right || left.fields == right.fields
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(fields) }
    }
}
