/// Methods of texts.
extension RuleEvaluator {
  mutating func call(_ method: RuleExpression.TextMethod, on text: String) throws -> RuleValue {
    try spend(text.utf8.count / 1024)
    switch method {
    case .contains(let part): return .bool(TextSearch.contains(try self.text(part), in: text))
    case .beginsWith(let part): return .bool(text.utf8.starts(with: try self.text(part).utf8))
    case .endsWith(let part):
      let part = try self.text(part).utf8
      return .bool(text.utf8.count >= part.count && text.utf8.suffix(part.count).elementsEqual(part))
    case .replace(let old, let new):
      return .string(try replace(try self.text(old), by: try self.text(new), in: text))
    case .toLowerCase: return .string(text.lowercased())
    case .toUpperCase: return .string(text.uppercased())
    case .matches(let matcher):
      try spend(matcher.steps(for: text))
      return .bool(try matcher.matches(text))
    }
  }

  /// Returns a text in which every occurrence of a part is replaced.
  private mutating func replace(_ old: String, by new: String, in text: String) throws -> String {
    if old.isEmpty { return text }
    var count = 0
    TextSearch.forEach(old, in: text) { _ in
      count += 1
      return true
    }
    // The new text may be much longer than the old one.
    let (added, overflows) = count.multipliedReportingOverflow(by: new.utf8.count)
    try spend(overflows ? Self.mostSteps : added / 1024)
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + added - count * old.utf8.count)
    var start = 0
    TextSearch.forEach(old, in: text) { offset in
      result.append(contentsOf: bytes[start..<offset])
      result.append(contentsOf: new.utf8)
      start = offset + old.utf8.count
      return true
    }
    result.append(contentsOf: bytes[start...])
    return String(decoding: result, as: UTF8.self)
  }
}
