/// The fields of an object in an answer, by name. A field without a value is absent.
struct Fields: Encodable, ExpressibleByDictionaryLiteral {
    private let values: [(name: String, value: (any Encodable)?)]

    init(dictionaryLiteral values: (String, (any Encodable)?)...) { self.values = values }

    private struct Name: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in values {
            if let value { try container.encode(value, forKey: Name(stringValue: name)) }
        }
    }
}
