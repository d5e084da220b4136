/// A store name that is declared as a `String`, which ``DatabaseConfigurable`` accepts in place of a
/// `String?`.
///
/// In Swift, a requirement cannot be met by properties of two types, so this protocol contains the
/// requirement for the other type. A class with `var schemaName: String?` meets the requirement of
/// `DatabaseConfigurable`. A class with `let schemaName = "pets"` meets this requirement, and the default
/// implementation of the other one uses it. Code should read the `String?`, so this requirement is disfavored
/// and deprecated.
public protocol StoreNaming {
  /// The store's name if it is declared as a `String`, and otherwise the empty string.
  @_disfavoredOverload
  @available(*, deprecated, message: "Read the name as a String?, or storeName.")
  var schemaName: String { get }
}

extension StoreNaming {
  /// The empty string, which means that the repository does not declare a name as a `String`.
  @_disfavoredOverload
  @available(*, deprecated, message: "Read the name as a String?, or storeName.")
  public var schemaName: String { "" }

  /// The name that is declared as a `String`. Without such a declaration it is the empty string, an invalid
  /// store name.
  var textualSchemaName: String { (SchemaNameReader() as any SchemaNameReading).name(of: self) }
}

/// Access to a deprecated property without a warning from the compiler.
private protocol SchemaNameReading {
  func name(of repository: some StoreNaming) -> String
}

private struct SchemaNameReader: SchemaNameReading {
  @available(*, deprecated)
  func name(of repository: some StoreNaming) -> String { repository.schemaName }
}
