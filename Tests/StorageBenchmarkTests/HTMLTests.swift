import BrowserSessions
import Expectations
import Foundation

@testable import StorageBenchmark

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("The page")
struct HTMLTests {
    /// Collects the elements and attributes of a page; parsing fails unless it is well-formed.
    final class Page: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String])] = []

        init(_ text: String) throws {
            super.init()
            let parser = XMLParser(data: Data(text.utf8))
            parser.delegate = self
            try #require(parser.parse(), "\(String(describing: parser.parserError))")
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            elements.append((name, attributes))
        }

        func count(_ name: String) -> Int { elements.filter { $0.name == name }.count }
    }

    static let text = HTMLReport(SampleReport.full()).written()

    @Test func itIsWellFormedAndHasEveryPlot() throws {
        let page = try Page(Self.text)
        let plots = page.elements.filter { $0.name == "svg" && $0.attributes["role"] == "img" }
        // 12 works of 2 durabilities: cost and latency of each, 3 works write nothing, 3 have no
        // floor.
        expect(plots.count, is: 2 * (12 + 12 + 9 + 9))
        expect(page.count("title"), is: plots.count + 1)
        expect(page.count("desc"), is: plots.count)
        expect(page.count("table"), is: 2 * 12 + 1)
    }

    @Test func plotsAreNamedByUniqueIds() throws {
        let page = try Page(Self.text)
        let ids = page.elements.compactMap { $0.attributes["id"] }
        expect(Set(ids).count, is: ids.count)
        for element in page.elements {
            for id in element.attributes["aria-labelledby"]?.split(separator: " ") ?? [] {
                expect(ids.contains(String(id)))
            }
        }
    }

    @Test func itNeedsNoOtherFileAndNoScript() throws {
        let page = try Page(Self.text)
        for element in page.elements {
            expect(!["script", "link", "img", "iframe", "object", "use"].contains(element.name))
            expect(element.attributes["src"] == nil)
            expect(element.attributes["href"].map { $0.hasPrefix("#") } != false)
            expect(!element.attributes.keys.contains { $0.hasPrefix("on") })
        }
        for word in ["http:", "https:", "url(", "@import", "javascript:"] {
            expect(!Self.text.contains(word), "\(word)")
        }
    }

    @Test func itIsMadeForDarkScreensPhonesAndPaper() {
        for part in ["prefers-color-scheme: dark", "@media print", "width=device-width"] {
            expect(Self.text.contains(part))
        }
    }

    @Test func coordinatesLieInTheirViewBox() throws {
        var height = 0.0
        for element in try Page(Self.text).elements {
            if let box = element.attributes["viewBox"] {
                height = Double(box.split(separator: " ")[3]) ?? 0
            }
            guard let x = element.attributes["x"].flatMap(Double.init),
                let y = element.attributes["y"].flatMap(Double.init)
            else { continue }
            let width = element.attributes["width"].flatMap(Double.init) ?? 0
            expect(x >= 0 && x + width <= 360 && y >= 0 && y <= height, "\(element)")
        }
    }

    @Test func whatHasNoFigureIsNotDrawn() throws {
        var report = SampleReport.full()
        report.results = Array(report.results.prefix(6))
        for index in report.results.indices { report.results[index].verified = false }
        let page = try Page(HTMLReport(report).written())
        expect(!page.elements.contains { $0.attributes["role"] == "img" })
    }

    @Test func strangeNamesAndFiguresDoNotBreakIt() throws {
        var report = SampleReport.full()
        report.results[0].backend = "<b>&\"'\u{0}\u{1B} ]]> --"
        report.results[1].microseconds.p50 = .nan
        report.results[2].floorRatio = .infinity
        report.results[3].tabs = 0
        report.results[4].distribution = [.init(upTo: -1, count: 3), .init(upTo: 0, count: 1)]
        report.results[0].bytesWritten = .max
        _ = try Page(HTMLReport(report).written())
    }

    @Test func theSizeOfMostContestantsIsDrawn() throws {
        let section = try #require(ReportSections(SampleReport.full()).sections.first)
        let save = try #require(section.works.first)
        expect(HTMLReport.shownRow(save).tabs, is: 1000)
        let restore = try #require(section.works.first { $0.workload == "restore" })
        expect(HTMLReport.shownRow(restore).tabs, is: 10_000, "sqlite was wrong at 1,000")
    }

    @Test func dryIsDrawnOnlyWhereItMatters() throws {
        let section = try #require(ReportSections(SampleReport.full()).sections.first)
        var row = try #require(section.works.first?.rows.first)
        expect(LinePlots.drawn(row).compactMap(\.?.kind).filter { $0 == .dry }.isEmpty)
        row.cells[5]?.microseconds.p50 = 100
        expect(LinePlots.drawn(row).compactMap(\.?.kind).filter { $0 == .dry }.count, is: 1)
    }
}
