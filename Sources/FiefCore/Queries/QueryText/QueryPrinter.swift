import Foundation

/// Prints a query in a canonical text form: parsing the text gives an equal query.
package struct QueryPrinter {
  /// The number of quantifiers around the part being printed.
  private var depth = 0
  /// Whether values are replaced by their types.
  private(set) var hidesValues = false

  /// Returns the text of a condition as all front ends create it: without empty or redundant conjunctions.
  package static func text(of condition: QueryCondition) -> String {
    QueryPrinter().text(condition)
  }

  /// Returns the text of a query. Bounds cannot be expressed as text and are omitted.
  ///
  /// - Parameter hidesValues: whether values are replaced by their types, for logs.
  package static func text(of description: QueryDescription, hidesValues: Bool = false) -> String {
    var printer = QueryPrinter()
    printer.hidesValues = hidesValues
    var parts: [String] = []
    if let condition = description.condition { parts.append(printer.text(condition)) }
    if !description.order.isEmpty {
      parts.append("SORT(\(description.order.map(printer.text).joined(separator: ", ")))")
    }
    if !description.distinct.isEmpty {
      parts.append("DISTINCT(\(description.distinct.map(printer.text).joined(separator: ", ")))")
    }
    if description.offset > 0 { parts.append("OFFSET(\(description.offset))") }
    switch description.limit {
    case .first(let count): parts.append("LIMIT(\(count))")
    case .last(let count): parts.append("LAST(\(count))")
    case nil: break
    }
    return parts.joined(separator: " ")
  }

  /// Returns a name, in backquotes if necessary.
  static func name(_ name: String) -> String {
    if QueryKeyword.isPlain(name) { return name }
    var quoted = "`"
    // Appends scalar by scalar, because a backquote with a combining accent is a different character but
    // still a backquote for the lexer.
    for scalar in name.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "`" { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "`"
  }

  private var inner: QueryPrinter {
    var printer = self
    printer.depth += 1
    return printer
  }

  private func variable(_ level: Int) -> String { "$e\(level)" }

  private func text(_ condition: QueryCondition) -> String {
    switch condition {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .not(let inner): return "NOT (\(text(inner)))"
    case .all(let parts): return joined(parts, " AND ", "TRUEPREDICATE")
    case .any(let parts): return joined(parts, " OR ", "FALSEPREDICATE")
    case .comparison(let left, let comparison, let right, let options):
      return "\(text(left)) \(comparison.rawValue)\(text(options)) \(text(right))"
    case .oneOf(let operand, let values, let options):
      return "\(text(operand)) IN\(text(options)) {\(values.map(text).joined(separator: ", "))}"
    case .quantified(let quantifier, let collection, let condition):
      return "\(quantifier.rawValue)(\(text(collection)), \(variable(depth + 1)), \(inner.text(condition)))"
    case .within(let path, let region):
      return "\(text(path)) GEOWITHIN \(hidesValues ? "<region>" : region.text)"
    case .matches(let path, let words): return "\(text(path)) MATCHES \(text(.string(words)))"
    }
  }

  private func joined(_ parts: [QueryCondition], _ word: String, _ empty: String) -> String {
    guard parts.count != 1 else { return text(parts[0]) }
    if parts.isEmpty { return empty }
    return parts.map { part in
      switch part {
      case .all, .any: "(\(text(part)))"
      default: text(part)
      }
    }.joined(separator: word)
  }

  private func text(_ options: QueryTextOptions) -> String {
    if options.isEmpty { return "" }
    return "[" + (options.contains(.caseInsensitive) ? "c" : "")
      + (options.contains(.diacriticInsensitive) ? "d" : "") + "]"
  }

  private func text(_ operand: QueryOperand) -> String {
    switch operand {
    case .value(let value): text(value)
    case .path(let path): text(path)
    case .arithmetic(let left, let arithmetic, let right):
      "(\(text(left)) \(arithmetic.rawValue) \(text(right)))"
    case .negative(let inner): "-(\(text(inner)))"
    case .count(let collection, nil): text(collection) + ".@count"
    case .count(let collection, let condition?):
      "SUBQUERY(\(text(collection)), \(variable(depth + 1)), \(inner.text(condition))).@count"
    case .aggregate(let aggregate, let collection, let path):
      "\(text(collection)).@\(aggregate.rawValue)" + (path.map { steps($0.steps, isFirst: false) } ?? "")
    case .length(let inner): "LENGTH(\(text(inner)))"
    case .typeName(let path): "\(text(path)).@type"
    case .lowercased(let inner): "LOWERCASE(\(text(inner)))"
    case .uppercased(let inner): "UPPERCASE(\(text(inner)))"
    case .coalesced(let first, let second): "COALESCE(\(text(first)), \(text(second)))"
    case .conditional(let condition, let first, let second):
      "TERNARY(\(text(condition)), \(text(first)), \(text(second)))"
    case .truth(let condition): "(\(text(condition)))"
    }
  }

  private func text(_ collection: QueryCollection) -> String {
    switch collection.part {
    case .values: text(collection.path)
    case .keys: text(collection.path) + ".@keys"
    case .parts: text(collection.path) + "[*]"
    }
  }

  private func text(_ path: QueryPath) -> String {
    let level = depth - path.scope
    guard level == 0 else { return variable(level) + steps(path.steps, isFirst: false) }
    if case .property? = path.steps.first { return steps(path.steps, isFirst: true) }
    return "SELF" + steps(path.steps, isFirst: false)
  }

  private func steps(_ steps: [QueryPath.Step], isFirst: Bool) -> String {
    var result = ""
    for step in steps {
      switch step {
      case .property(let name): result += (result.isEmpty && isFirst ? "" : ".") + Self.name(name)
      case .mapKey(let key): result += "[\(text(.string(key)))]"
      case .index(let index): result += "[\(index)]"
      }
    }
    return result
  }

  private func text(_ order: QueryOrder) -> String {
    var result: String
    switch order.key {
    case .path(let path): result = text(path)
    case .relevance: result = "@relevance"
    }
    if order.collation == .caseInsensitive { result += "[c]" }
    result += order.ascending ? " ASC" : " DESC"
    switch order.nils {
    case .smallest: break
    case .first: result += " NULLS FIRST"
    case .last: result += " NULLS LAST"
    }
    if case .locale(let identifier) = order.collation { result += " LOCALE \(text(.string(identifier)))" }
    return result
  }
}
