/// A name of a store that is declared as a `String`, which ``DatabaseConfigurable`` accepts in place of a `String?`.
///
/// Swift has no requirement that properties of two types fulfil. This is the one for the other type: a class that says
/// `var schemaName: String?` fulfils the one of `DatabaseConfigurable`, and `let schemaName = "pets"` this one, from which
/// the first is made. Code that reads a name reads the `String?`: this one is disfavoured and deprecated.
public protocol StoreNaming {
  /// The store's name, where it is declared as a `String`; else empty.
  @_disfavoredOverload
  @available(*, deprecated, message: "Read the name as a String?, or storeName.")
  var schemaName: String { get }
}

extension StoreNaming {
  /// Empty: the repository declares no name as a `String`.
  @_disfavoredOverload
  @available(*, deprecated, message: "Read the name as a String?, or storeName.")
  public var schemaName: String { "" }

  /// The name that is declared as a `String`; empty where there is none, which is no name of a store.
  var textualSchemaName: String { (SchemaNameReader() as any SchemaNameReading).name(of: self) }
}

/// Reads a deprecated property, without the compiler's warning.
private protocol SchemaNameReading {
  func name(of repository: some StoreNaming) -> String
}

private struct SchemaNameReader: SchemaNameReading {
  @available(*, deprecated)
  func name(of repository: some StoreNaming) -> String { repository.schemaName }
}
