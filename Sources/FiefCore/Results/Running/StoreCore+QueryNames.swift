extension StoreCore {
  /// Names are those of the classes' properties; the columns' own stand for themselves where no property of the
  /// class has the name.
  package var queryNames: QueryNames {
    QueryNames(
      { name, type in self.descriptor(named: type)?.property(named: name)?.column ?? name },
      names: { type in self.descriptor(named: type)?.properties.map { $0.name } }
    )
  }
}
