import Foundation

extension QueryOrder {
  /// The order of a Foundation sort descriptor.
  ///
  /// A descriptor does not publish its comparison, but its reflection shows it: the key path, and the
  /// comparator of texts where there is one.
  ///
  /// - Throws: ``FiefError`` of code `invalidQuery` for a descriptor that cannot be expressed.
  init<Element: Object>(_ descriptor: SortDescriptor<Element>) throws {
    var parts = DescriptorParts<Element>()
    parts.look(at: descriptor, depth: 0)
    guard let keyPath = parts.keyPath, !parts.isOpaque else {
      throw FiefError(
        .invalidQuery,
        "A sort descriptor of a query compares a property in its own order.",
        type: Element.className()
      )
    }
    self.init(.path(try QueryPath.of(keyPath)), ascending: descriptor.order == .forward)
    if let comparator = parts.comparator, comparator != .lexical {
      collation = .locale(Locale.current.identifier)
    }
  }
}

/// The parts of a sort descriptor that its reflection shows.
private struct DescriptorParts<Element> {
  var keyPath: PartialKeyPath<Element>?
  var comparator: String.StandardComparator?
  /// Whether it compares by code of its own.
  var isOpaque = false

  /// Descriptors are few levels deep.
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

  /// The comparators that compare as the values themselves do, and those that wrap them.
  private static func isOfFoundation(_ value: Any) -> Bool {
    let name = _typeName(type(of: value), qualified: false)
    return ["AnySortComparator", "ComparableComparator", "OptionalComparator"].contains { name.hasPrefix($0) }
  }
}
