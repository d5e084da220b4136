/// What an aggregate of results is of: a value of each object, or, where the way goes through collections, of each of
/// their elements.
struct AggregatedValues: Sendable {
  enum Source: Sendable {
    /// Only the schema says which of the steps are collections.
    case path(QueryPath)
    /// An operand as the text form of queries has it: `dogs.@sum.age`.
    case text(String)
    /// What is seen from an element of the last of some collections, each of which is seen from an element of the one
    /// before.
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

  /// - Throws: ``FiefError`` of code `invalidQuery` for what cannot be asked.
  init<Element: ObjectBase, Value>(_ values: (Query<Element>) -> Query<Value>) throws(FiefError) {
    let (collections, operand) = try TypedQuery.operand(values)
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

extension TypedQuery {
  /// What a closure makes of the object: an operand, behind collections.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for what cannot be asked.
  static func operand<Element: ObjectBase, Value>(
    _ values: (Query<Element>) -> Query<Value>
  ) throws(FiefError) -> ([QueryCollection], QueryOperand) {
    let term = values(Query<Element>(TypedTerm(TypedScopes(), level: 0, .path(.element)))).term
    do { return (term.collections, try term.operand.get()) } catch {
      var error = error
      error.type = error.type ?? Element.className()
      throw error
    }
  }
}
