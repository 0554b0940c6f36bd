import BrowserSessions

/// Performs the steps of a sequence on stores of one or several harnesses, in lockstep.
struct ModelTrial: Sendable {
    let seed: UInt64
    let contexts: [CaseContext]
    /// Receives every step: what was done, and what all stores answered.
    var progress: @Sendable (_ step: String, _ answer: String) -> Void = { _, _ in }

    /// The first step after which a store differed from its model or from the other stores.
    struct Failure: Sendable {
        /// The label of the harness.
        var label: String
        /// The number of the step in the whole sequence.
        var step: Int
        var message: String
    }

    /// Performs the steps with new stores; returns the first failure.
    func run(_ operations: [ModelOperation]) async throws -> Failure? {
        var subjects: [ModelSubject] = []
        var failure: Failure?
        do {
            for context in contexts { subjects.append(try await ModelSubject(context)) }
            for operation in operations {
                failure = try await perform(operation, on: &subjects)
                if failure != nil { break }
            }
            if failure == nil, let last = operations.last {
                // Only the comparison that is due after the last step.
                let comparison = ModelOperation(number: last.number, kind: .check, isChecked: true)
                failure = try await perform(comparison, on: &subjects)
            }
        } catch {
            for subject in subjects { try? await subject.finish() }
            throw error
        }
        for subject in subjects { try await subject.finish() }
        return failure
    }

    private func perform(_ operation: ModelOperation, on subjects: inout [ModelSubject])
        async throws -> Failure?
    {
        var answers: [String] = []
        var views: [ModelView] = []
        for index in subjects.indices {
            let label = contexts[index].harness.label
            func failure(_ message: String) -> Failure {
                progress(operation.description, "(\(label)) \(message)")
                return Failure(label: label, step: operation.number, message: message)
            }
            do {
                answers.append(try await subjects[index].perform(operation, of: seed))
                if operation.isChecked || operation.isReopening {
                    views.append(try await subjects[index].compare())
                }
            } catch let violation as Violation {
                return failure(violation.message)
            } catch let error as StorageError {
                return failure("an error was thrown: \(error)")
            }
            if answers[index] != answers[0] {
                return failure("'\(answers[index])', another answered '\(answers[0])'")
            }
            if let view = views.last, view != views[0] {
                return failure("another store shows other content")
            }
        }
        progress(operation.description, answers.first ?? "")
        return nil
    }
}
