/// The changes of one file in the format of `diff -u`, which `patch` reads.
struct UnifiedDiff {
  private static let context = 3

  private let source: SwiftSource
  private let edits: [TextEdit]
  /// The number of lines by which the new file is longer than the old one before the hunk.
  private var shift = 0
  private var result: [UInt8]

  /// Returns the diff, or an empty text if nothing changes.
  ///
  /// - Parameter edits: the edits in the order of their positions, without overlaps.
  static func text(of source: SwiftSource, _ edits: [TextEdit]) -> String {
    var diff = UnifiedDiff(source, edits)
    let blocks = diff.blocks()
    guard !blocks.isEmpty else { return "" }
    var hunk: [ClosedRange<Int>] = []
    for block in blocks {
      if let last = hunk.last, block.lowerBound - last.upperBound > 2 * context + 1 {
        diff.append(hunk)
        hunk = []
      }
      hunk.append(block)
    }
    diff.append(hunk)
    return String(decoding: diff.result, as: UTF8.self)
  }

  private init(_ source: SwiftSource, _ edits: [TextEdit]) {
    (self.source, self.edits) = (source, edits)
    result = Array("--- \(source.path)\n+++ \(source.path)\n".utf8)
  }

  /// Returns the ranges of changed lines, starting at 1. Adjacent lines are merged.
  private func blocks() -> [ClosedRange<Int>] {
    var result: [ClosedRange<Int>] = []
    for edit in edits {
      let first = source.line(at: edit.range.lowerBound)
      var last = max(first, source.line(at: max(edit.range.upperBound - 1, 0)))
      let takesEnd = edit.range.upperBound == source.line(last).upperBound && !edit.text.hasSuffix("\n")
      if takesEnd, edit.range.lowerBound > source.line(first).lowerBound {
        last = min(last + 1, source.lineCount)
      }
      if let previous = result.last, previous.upperBound + 1 >= first {
        result[result.count - 1] = previous.lowerBound...max(previous.upperBound, last)
      } else {
        result.append(first...last)
      }
    }
    return result
  }

  private mutating func append(_ blocks: [ClosedRange<Int>]) {
    guard let begin = blocks.first?.lowerBound, let end = blocks.last?.upperBound else { return }
    let first = max(begin - Self.context, 1)
    let last = min(end + Self.context, source.lineCount)
    var body: [UInt8] = []
    var (added, line) = (0, first)
    for block in blocks {
      append(first: line, last: block.lowerBound - 1, mark: " ", to: &body)
      append(first: block.lowerBound, last: block.upperBound, mark: "-", to: &body)
      let part = source.line(block.lowerBound).lowerBound..<source.line(block.upperBound).upperBound
      let new = Self.lines(of: edits.applied(to: source.bytes, in: part)[...])
      for line in new { Self.append(line, mark: "+", to: &body) }
      added += new.count - block.count
      line = block.upperBound + 1
    }
    append(first: line, last: last, mark: " ", to: &body)
    let count = last - first + 1
    let start = first + shift - (count + added == 0 ? 1 : 0)
    result += Array("@@ -\(first),\(count) +\(start),\(count + added) @@\n".utf8)
    result += body
    shift += added
  }

  private func append(first: Int, last: Int, mark: Character, to body: inout [UInt8]) {
    guard first <= last else { return }
    for line in first...last { Self.append(source.bytes[source.line(line)], mark: mark, to: &body) }
  }

  private static func append(_ line: ArraySlice<UInt8>, mark: Character, to body: inout [UInt8]) {
    body += Array(String(mark).utf8)
    body += line
    if line.last != 0x0A { body += Array("\n\\ No newline at end of file\n".utf8) }
  }

  private static func lines(of bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    var result: [ArraySlice<UInt8>] = []
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.endIndex
      result.append(bytes[start..<end])
      start = end
    }
    return result
  }
}
