import Fief

/// A store on disk with the classes that the application has now, also where the application keeps it in memory.
struct NewestRepository: DatabaseConfigurable {
  let schemaName: String?
  let directory: String?
  let schemaVersion: UInt64?
  let objectTypes: [Object.Type]?
  let embeddedObjectTypes: [EmbeddedObject.Type]?

  var realmMemoryType: RealmMemoryType { .inStorage }

  init(_ schemaName: String, like application: some DatabaseConfigurable, in directory: String) {
    self.schemaName = schemaName
    self.directory = directory
    self.schemaVersion = application.schemaVersion
    self.objectTypes = application.objectTypes
    self.embeddedObjectTypes = application.embeddedObjectTypes
  }
}

/// Makes objects of the application's classes, which are its own, by their names; or of those frozen in their place.
struct NewestObjects {
  private let tx: WriteTransaction
  private let types: [Object.Type]

  init(_ tx: WriteTransaction, _ types: [Object.Type]) {
    self.tx = tx
    self.types = types
  }

  @discardableResult
  func create(_ name: String, _ values: [String: Any]) throws -> Object {
    guard let type = types.first(where: { $0.className() == name }) else {
      throw FixtureError.unknownType(name)
    }
    return try create(type, values)
  }

  private func create<Element: Object>(_ type: Element.Type, _ values: [String: Any]) throws -> Object {
    try tx.create(type, value: values)
  }
}
