extension StoreCore {
  /// The names in queries. They are the names of the classes' properties; if a class has no property with a
  /// name, the name refers to a column.
  package var queryNames: QueryNames {
    QueryNames(
      { name, type in self.descriptor(named: type)?.property(named: name)?.column ?? name },
      names: { type in self.descriptor(named: type)?.properties.map { $0.name } }
    )
  }
}
