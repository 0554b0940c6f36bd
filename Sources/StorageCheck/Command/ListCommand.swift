import ArgumentParser
import CommandLineSupport
import StorageConformance

/// A command that prints the contract.
struct ListCommand: CheckCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Prints the requirements.")

    @OptionGroup var report: ReportArguments<ReportFormat>

    func run(_ context: CheckContext) async throws -> Int32 {
        try report.check("the list", hasForms: ReportArguments.formsOfPages)
        let page = ContractPage()
        return try report.conclude(0) { try page.formatted($0) ?? "" }
    }
}
