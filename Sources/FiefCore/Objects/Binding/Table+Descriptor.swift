extension Table {
  /// The class of the objects; nil where there is none, or none yet.
  // SAFETY: descriptors are the only names that a table is given.
  var descriptor: ObjectDescriptor? {
    get { names.map { unsafeDowncast($0, to: ObjectDescriptor.self) } }
    set { names = newValue }
  }
}

extension ObjectDescriptor: PropertyNames {
  package func name(ofColumn column: String) -> String? { properties.first { $0.column == column }?.name }
}
