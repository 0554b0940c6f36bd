/// A block between two marks in a file. Only its bytes are replaced.
enum MarkedBlock {
    static let begin = "<!-- storagebench:begin -->"
    static let end = "<!-- storagebench:end -->"

    struct Failure: Error, Hashable {
        var message: String
    }

    /// Returns the file with `block` between its marks. Each mark is alone on its line and occurs
    /// once. Lines end like the line of the first mark.
    static func replaced(in file: [UInt8], with block: String) throws(Failure) -> [UInt8] {
        let lines = lines(of: file)
        let first = try place(of: begin, in: lines, file)
        let last = try place(of: end, in: lines, file)
        guard first.lowerBound < last.lowerBound else {
            throw Failure(message: "'\(end)' stands before '\(begin)'; put them in order")
        }
        let usesReturns = file[first].suffix(2).elementsEqual([13, 10])
        let text = block.split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: usesReturns ? "\r\n" : "\n")
        let needsEnd = text.utf8.last != 10
        let bytes = Array(text.utf8) + (needsEnd ? Array((usesReturns ? "\r\n" : "\n").utf8) : [])
        return file[..<first.upperBound] + bytes + file[last.lowerBound...]
    }

    /// Returns the ranges of all lines, including line ends.
    private static func lines(of file: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        for (index, byte) in file.enumerated() where byte == 10 {
            lines.append(start..<index + 1)
            start = index + 1
        }
        return start < file.count ? lines + [start..<file.count] : lines
    }

    private static func place(
        of mark: String, in lines: [Range<Int>], _ file: [UInt8]
    ) throws(Failure) -> Range<Int> {
        let blanks: [UInt8] = [9, 10, 13, 32]
        let places = lines.filter { line in
            let bytes = file[line].drop { blanks.contains($0) }
            let length = (bytes.lastIndex { !blanks.contains($0) }).map { $0 + 1 }
            return bytes.prefix(upTo: length ?? bytes.startIndex).elementsEqual(mark.utf8)
        }
        guard let place = places.first else {
            throw Failure(
                message: "there is no line '\(mark)'; add both marks where the tables belong")
        }
        guard places.count == 1 else {
            throw Failure(
                message: "there are \(places.count) lines '\(mark)'; leave one, "
                    + "so that it is clear what to replace")
        }
        return place
    }
}
