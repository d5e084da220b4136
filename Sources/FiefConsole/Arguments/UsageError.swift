/// A command line that cannot be understood.
package struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, as a sentence.
  package var message: String
  /// What was probably meant: "Did you mean 'status'?"
  package var suggestion: String?
  /// The command that was being read, nil before there was one.
  package var command: String?

  /// Makes an error.
  package init(_ message: String, suggestion: String? = nil, command: String? = nil) {
    self.message = message
    self.suggestion = suggestion
    self.command = command
  }

  /// Makes an error about a word that is not known, with the nearest of those that are.
  package init(_ message: String, unknown word: String, known: [String], command: String? = nil) {
    self.message = message
    self.command = command
    suggestion = NearestName.find(word, in: known).map { "Did you mean '\($0)'?" }
  }

  package var description: String {
    suggestion.map { "\(message) \($0)" } ?? message
  }
}

/// The known name that was probably meant by an unknown one.
package enum NearestName {
  /// The nearest name; nil where none is near enough to be meant.
  package static func find(_ word: String, in known: [String]) -> String? {
    let candidates = known.map { (name: $0, distance: distance(word, $0)) }
    guard let best = candidates.min(by: { $0.distance < $1.distance }) else { return nil }
    if best.distance <= max(1, best.name.count / 3) { return best.name }
    let beginning = known.filter { word.count >= 2 && $0.hasPrefix(word) }
    return beginning.count == 1 ? beginning.first : nil
  }

  /// How many characters have to be added, removed, replaced or exchanged with their neighbour.
  package static func distance(_ first: String, _ second: String) -> Int {
    let (a, b) = (Array(first.lowercased()), Array(second.lowercased()))
    // Nobody types a word that long by mistake, and the time grows with the square.
    guard a.count <= 100, b.count <= 100 else { return max(a.count, b.count) }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last.last ?? 0
  }
}
