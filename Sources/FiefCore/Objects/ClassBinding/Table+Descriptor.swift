extension Table {
  /// The class of the objects, or `nil` if the table has no class or no class was assigned yet.
  // SAFETY: only descriptors are ever assigned as a table's names.
  package var descriptor: ObjectDescriptor? {
    get { names.map { unsafeDowncast($0, to: ObjectDescriptor.self) } }
    set { names = newValue }
  }
}

extension ObjectDescriptor: PropertyNames {
  package func name(ofColumn column: String) -> String? { properties.first { $0.column == column }?.name }
}
