import ChildProcesses
import Foundation
import TestSupport

/// Chromium's DevTools protocol in the form of `--remote-debugging-pipe`: JSON ended by a zero byte,
/// over descriptors 3 and 4 of the browser. One call at a time.
public final class DevTools {
    private let requests: Descriptor
    private let answers: Descriptor
    private var unread: [UInt8] = []
    private var lastID = 0
    private let condition: () -> String

    /// - Parameter condition: how it stands with the browser, for the message of an error.
    init(requests: Descriptor, answers: Descriptor, condition: @escaping () -> String) {
        self.requests = requests
        self.answers = answers
        self.condition = condition
    }

    /// What comes back from one call. Events that come in between are passed over.
    ///
    /// - Parameter session: of an attached target; the browser itself without one.
    @discardableResult
    public func call<Answer: Decodable>(
        _ method: String, _ parameters: [String: DevToolsValue] = [:], session: String? = nil,
        as type: Answer.Type = DevToolsNothing.self
    ) throws -> Answer {
        lastID += 1
        let request = Request(
            id: lastID, method: method, params: parameters, sessionId: session)
        guard try requests.write(Array(JSONEncoder().encode(request)) + [0]) else {
            throw DrivingError("\(method) cannot be sent: \(condition())")
        }
        while true {
            let message = try nextMessage(method)
            let decoder = JSONDecoder()
            guard try decoder.decode(Head.self, from: message).id == lastID else { continue }
            let answer = try decoder.decode(Body<Answer>.self, from: message)
            if let result = answer.result { return result }
            throw DrivingError("\(method): \(answer.error?.message ?? "no answer")")
        }
    }

    private func nextMessage(_ method: String) throws -> Data {
        var searched = 0
        while true {
            if let end = unread[searched...].firstIndex(of: 0) {
                defer { unread.removeSubrange(...end) }
                return Data(unread[..<end])
            }
            searched = unread.count
            let more = answers.read()
            guard !more.isEmpty else {
                throw DrivingError("no answer to \(method): \(condition())")
            }
            unread += more
        }
    }

    private struct Request: Encodable {
        var id: Int
        var method: String
        var params: [String: DevToolsValue]
        var sessionId: String?
    }

    private struct Head: Decodable { var id: Int? }

    private struct Body<Answer: Decodable>: Decodable {
        var result: Answer?
        var error: Failure?

        struct Failure: Decodable { var message: String }
    }
}

/// For calls with an empty answer.
public struct DevToolsNothing: Decodable { public init() {} }

/// A parameter of a call.
public enum DevToolsValue: Encodable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case text(String)
    case flag(Bool)
    case number(Int)
    case list([DevToolsValue])
    case object([String: DevToolsValue])

    public init(stringLiteral value: String) { self = .text(value) }
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    public init(integerLiteral value: Int) { self = .number(value) }
    public init(arrayLiteral values: DevToolsValue...) { self = .list(values) }
    public init(dictionaryLiteral members: (String, DevToolsValue)...) {
        self = .object(Dictionary(members) { $1 })
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

extension DevTools {
    /// The session of a target that was attached to.
    public func attach(to target: String) throws -> String {
        try call(
            "Target.attachToTarget", ["targetId": .text(target), "flatten": true],
            as: Attached.self
        ).sessionId
    }

    /// Runs an expression in a page, waits for its promise, and reads the value as JSON.
    public func evaluate<Answer: Decodable>(
        _ expression: String, session: String, as type: Answer.Type = Answer.self
    ) throws -> Answer {
        // The answer's text reports failures: an error is no value.
        let script = """
            (async () => JSON.stringify({ value: [await (\(expression))] }))()
                .catch(error => JSON.stringify({ error: `${error} ${error.stack}` }))
            """
        let answer = try call(
            "Runtime.evaluate",
            ["expression": .text(script), "awaitPromise": true, "returnByValue": true],
            session: session, as: Evaluated.self)
        return try ScriptOutcome<Answer>.value(in: answer.result.value ?? "")
    }

    private struct Attached: Decodable { var sessionId: String }

    private struct Evaluated: Decodable {
        var result: Value

        struct Value: Decodable { var value: String? }
    }
}

/// The result of a script, as its browser reports it in JSON.
struct ScriptOutcome<Value: Decodable>: Decodable {
    private var value: [Value]?
    private var error: String?

    static func value(in text: String) throws -> Value {
        let outcome = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
        guard let value = outcome.value?.first else {
            throw DrivingError(outcome.error ?? "the script returned nothing")
        }
        return value
    }
}
