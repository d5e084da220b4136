import Foundation

extension QueryOrder {
  /// Creates the order of a Foundation sort descriptor.
  ///
  /// A descriptor does not expose its comparison, but its key path and its comparator of texts, if it has
  /// one, can be read by reflection.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for a descriptor that cannot be expressed.
  init<Element: ObjectBase>(_ descriptor: SortDescriptor<Element>) throws {
    var parts = DescriptorParts<Element>()
    parts.look(at: descriptor, depth: 0)
    guard let keyPath = parts.keyPath, !parts.isOpaque else {
      throw FiefError(
        .invalidQuery,
        "A sort descriptor of a query must use the property's own order.",
        type: Element.className()
      )
    }
    self.init(.path(try QueryPath.of(keyPath)), ascending: descriptor.order == .forward)
    if let comparator = parts.comparator, comparator != .lexical {
      collation = .locale(Locale.current.identifier)
    }
  }
}

/// The parts of a sort descriptor that reflection can read.
private struct DescriptorParts<Element> {
  var keyPath: PartialKeyPath<Element>?
  var comparator: String.StandardComparator?
  /// Whether the descriptor compares with custom code.
  var isOpaque = false

  /// The depth at which the search stops. Descriptors have only a few levels.
  private static var deepest: Int { 8 }

  mutating func look(at value: Any, depth: Int) {
    if let path = value as? PartialKeyPath<Element> {
      keyPath = path
      return
    }
    if var known = value as? String.StandardComparator {
      known.order = .forward
      comparator = known
      return
    }
    guard depth < Self.deepest else { return }
    let mirror = Mirror(reflecting: value)
    if depth > 0, value is any SortComparator, !Self.isOfFoundation(value) { isOpaque = true }
    for child in mirror.children { look(at: child.value, depth: depth + 1) }
  }

  /// Whether a comparator is one of Foundation's: it compares by the values' own order, or wraps such a
  /// comparator.
  private static func isOfFoundation(_ value: Any) -> Bool {
    let name = _typeName(type(of: value), qualified: false)
    return ["AnySortComparator", "ComparableComparator", "OptionalComparator"].contains { name.hasPrefix($0) }
  }
}
