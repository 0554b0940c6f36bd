import BrowserSessions
import Foundation
import Testing

/// The messages that the codec's tests compare with are those of the published schema.
@Suite struct SchemaTests {
    /// A message's fields by number: their form and name, as `Fixed64 checksum`.
    typealias Fields = [Int: String]

    static let here = URL(filePath: #filePath).deletingLastPathComponent()

    func text(_ path: String) throws -> [Substring] {
        let url = Self.here.appending(path: path).standardizedFileURL
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    }

    /// Reads `message`, `repeated`, `map` and fields with numbers: all that the schema uses.
    func published() throws -> [String: Fields] {
        var messages: [String: Fields] = [:]
        var name = ""
        for line in try text("../../../Sources/StorageEngines/Records/records.proto") {
            if let match = line.wholeMatch(of: /message (\w+) \{/) { name = String(match.1) }
            let field = /\s+(repeated )?(map<string, string>|\w+) (\w+) = (\d+);.*/
            guard let match = line.wholeMatch(of: field), let number = Int(match.4) else {
                continue
            }
            let form = form(of: match.2, isRepeated: match.1 != nil)
            #expect(messages[name]?[number] == nil, "number \(number) is used twice in \(name)")
            messages[name, default: [:]][number] = "\(form) \(match.3.replacing("_", with: ""))"
        }
        return messages
    }

    private func form(of type: Substring, isRepeated: Bool) -> String {
        if type.hasPrefix("map") { return "Map" }
        let scalars = [
            "string": "String", "bytes": "Bytes", "bool": "Bool", "int32": "Int32",
            "fixed32": "Fixed32", "fixed64": "Fixed64", "sfixed64": "SFixed64",
        ]
        return (isRepeated ? "Repeated" : "Singular") + (scalars[String(type)] ?? "Message")
    }

    func generated() throws -> [String: Fields] {
        var messages: [String: Fields] = [:]
        var name = ""
        for line in try text("../Generated/records.pb.swift") {
            let header = /.*extension Browsersessions_V1_(\w+): SwiftProtobuf.Message.*/
            if let match = line.wholeMatch(of: header) { name = String(match.1) }
            let field = /\s+case (\d+): .*decoder\.decode(\w+?)Field\(.*value: &self\.(\w+)\).*/
            guard let match = line.wholeMatch(of: field), let number = Int(match.1) else {
                continue
            }
            let bare = match.3.drop { $0 == "_" }.lowercased()
            messages[name, default: [:]][number] = "\(match.2) \(bare)"
        }
        return messages
    }

    @Test func generatedCodeIsOfThisSchema() throws {
        let published = try published()
        #expect(published == (try generated()))
        #expect(published.count == 12)
        #expect(published["TabMetadata"]?.count ?? 0 >= 10)
        #expect(published["NavigationEntry"]?[10] == "RepeatedMessage subframes")
    }
}
