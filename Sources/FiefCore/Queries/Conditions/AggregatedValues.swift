/// The values from which an aggregate of results is computed: one value of each object or, if the path goes
/// through collections, one value of each element.
struct AggregatedValues: Sendable {
  enum Source: Sendable {
    /// A path. Only the schema shows which of its steps are collections.
    case path(QueryPath)
    /// An operand in the text form of queries, such as `dogs.@sum.age`.
    case text(String)
    /// An operand that is evaluated for each element of the last collection. Each collection belongs to an
    /// element of the collection before it.
    case operand([QueryCollection], QueryOperand)
  }

  let source: Source
  /// The readable form of the names, for messages.
  let text: String?

  init(_ path: QueryPath) {
    source = .path(path)
    text = path.text
  }

  /// - Parameter property: property names joined by dots, or an operand in the text form.
  init(property: String) {
    let isPlain = !property.contains { "@[]()`$".contains($0) }
    source = isPlain ? .path(QueryPath(keyPath: property)) : .text(property)
    text = property
  }

  /// - Parameter operand: the operand to evaluate on each element of the last collection.
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

/// The collections on the path to the values of an aggregate, and the operand for an element of the last
/// collection.
typealias AggregatedParts = (collections: [QueryCollection], operand: QueryOperand)
