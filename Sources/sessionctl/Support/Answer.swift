/// What a command answers, described once for all formats.
struct Answer {
    /// What JSON has.
    let value: any Encodable
    /// What JSON Lines have: the rows, or the one value.
    let rows: [any Encodable]
    /// What people read.
    let text: [any TextPart]

    init(_ fields: Fields, rows: [TextTable.Row]? = nil, _ text: any TextPart...) {
        (value, self.rows, self.text) = (fields, rows ?? [fields], text)
    }

    /// Creates an answer from an object that is described elsewhere.
    init(value: any Encodable, rows: [any Encodable]? = nil, _ text: any TextPart...) {
        (self.value, self.rows, self.text) = (value, rows ?? [value], text)
    }

    /// Creates an answer that is nothing but its rows.
    init(_ table: TextTable) { self.init(value: table.rows, rows: table.rows, table) }
}
