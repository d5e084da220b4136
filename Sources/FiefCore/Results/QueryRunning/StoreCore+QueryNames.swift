extension StoreCore {
  /// The names that queries use. They are the names of the classes' properties; if a class has no such
  /// property, the name of a column stands for itself.
  package var queryNames: QueryNames {
    QueryNames(
      { name, type in self.descriptor(named: type)?.property(named: name)?.column ?? name },
      names: { type in self.descriptor(named: type)?.properties.map { $0.name } }
    )
  }
}
