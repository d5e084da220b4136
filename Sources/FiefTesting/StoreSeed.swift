public import Fief
public import Foundation

/// The first content of a fresh store.
public struct StoreSeed: Sendable {
  let plant: @Sendable (any DatabaseConfigurable) throws -> Void

  /// A seed of the application's own.
  ///
  /// - Parameter plant: gets the repository of the fresh store.
  public init(_ plant: @escaping @Sendable (any DatabaseConfigurable) throws -> Void) {
    self.plant = plant
  }

  /// Objects, with those that they link; they are created for each store.
  public static func objects(_ objects: @autoclosure @escaping @Sendable () -> [Object]) -> StoreSeed {
    StoreSeed { repository in
      try repository.saveAndWait(entities: objects())
    }
  }

  /// The objects of a JSON document: one object, or an array of them.
  public static func json(_ type: Object.Type, _ document: Data) -> StoreSeed {
    StoreSeed { repository in
      try repository.saveAndWait(saveClass: type, jsonData: document)
    }
  }

  /// The objects of a JSON document in a text.
  public static func json(_ type: Object.Type, _ document: String) -> StoreSeed {
    json(type, Data(document.utf8))
  }

  /// The objects of a JSON file.
  ///
  /// A file that cannot be read fails the opening of the fixture with `FiefError` of code `inputOutput`.
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - path: the file; a relative path begins at the directory of the test's source file.
  ///   - testFile: the test's source file.
  public static func jsonFile(
    _ type: Object.Type,
    at path: String,
    besides testFile: StaticString = #filePath
  ) -> StoreSeed {
    let base = URL(fileURLWithPath: "\(testFile)").deletingLastPathComponent()
    let url = URL(fileURLWithPath: path, relativeTo: base)
    return StoreSeed { repository in
      let document: Data
      do { document = try Data(contentsOf: url) } catch {
        throw FiefError(
          .inputOutput,
          "The file with the seed cannot be read.",
          path: url.path,
          underlying: error
        )
      }
      try json(type, document).plant(repository)
    }
  }

  /// A seed whose content a closure writes.
  public static func writing(_ body: @escaping @Sendable (WriteTransaction) throws -> Void) -> StoreSeed {
    StoreSeed { try $0.write(body) }
  }
}
