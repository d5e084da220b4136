/// The values that an aggregate of results is computed from: one of each object, or, where the path goes
/// through collections, one of each of their elements.
struct AggregatedValues: Sendable {
  enum Source: Sendable {
    /// Only the schema says which of the steps are collections.
    case path(QueryPath)
    /// An operand as the text form of queries has it: `dogs.@sum.age`.
    case text(String)
    /// An operand that is evaluated for each element of the last of some collections; each collection belongs
    /// to an element of the one before.
    case operand([QueryCollection], QueryOperand)
  }

  let source: Source
  /// The names, for people.
  let text: String?

  init(_ path: QueryPath) {
    source = .path(path)
    text = path.text
  }

  /// - Parameter property: names with dots between them, or an operand of the text form.
  init(property: String) {
    let isPlain = !property.contains { "@[]()`$".contains($0) }
    source = isPlain ? .path(QueryPath(keyPath: property)) : .text(property)
    text = property
  }

  /// - Parameter operand: what is seen from an element of the last of some collections.
  init(_ collections: [QueryCollection], _ operand: QueryOperand) {
    source = .operand(collections, operand)
    var names = collections.compactMap(\.path.text)
    switch operand {
    case .path(let path): names += [path.text].compactMap(\.self)
    case .aggregate(_, let collection, let path):
      names += [collection.path.text, path?.text].compactMap(\.self)
    case .count(let collection, _): names += [collection.path.text].compactMap(\.self)
    default: break
    }
    text = names.isEmpty ? nil : names.joined(separator: ".")
  }
}

/// The collections on the path to the values of an aggregate, and the operand for an element of the last one.
typealias AggregatedParts = (collections: [QueryCollection], operand: QueryOperand)
