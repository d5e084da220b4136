extension ColumnType {
  var isCollection: Bool { container != .none || kind == .linkingObjects }

  /// Whether this is a single `AnyRealmValue`, which may be a list or a dictionary.
  var isAnyValue: Bool { kind == .any && container == .none }

  /// The type of an element of a collection.
  var element: ColumnType {
    if kind == .linkingObjects { return ColumnType(.link, target: target) }
    var element = self
    element.container = .none
    return element
  }

  /// Whether every payload of another type is also a valid payload of this type, apart from nil.
  func accepts(_ other: ColumnType) -> Bool {
    var required = self
    required.isOptional = false
    return container == .none && isOptional && required == other
  }
}
