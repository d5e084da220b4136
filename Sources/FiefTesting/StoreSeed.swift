public import Fief
public import Foundation

/// The initial content of a fresh store.
public struct StoreSeed: Sendable {
  let plant: @Sendable (any DatabaseConfigurable) throws -> Void

  /// Creates a seed from a closure.
  ///
  /// - Parameter plant: receives the repository of the fresh store.
  public init(_ plant: @escaping @Sendable (any DatabaseConfigurable) throws -> Void) {
    self.plant = plant
  }

  /// Returns a seed of objects and the objects that they link to. The closure runs once for each store, so
  /// every store gets its own objects.
  public static func objects(_ objects: @autoclosure @escaping @Sendable () -> [Object]) -> StoreSeed {
    StoreSeed { repository in
      try repository.saveAndWait(entities: objects())
    }
  }

  /// Returns a seed of the objects in a JSON document, which contains one object or an array of objects.
  public static func json(_ type: Object.Type, _ document: Data) -> StoreSeed {
    StoreSeed { repository in
      try repository.saveAndWait(saveClass: type, jsonData: document)
    }
  }

  /// Returns a seed of the objects in a JSON text.
  public static func json(_ type: Object.Type, _ document: String) -> StoreSeed {
    json(type, Data(document.utf8))
  }

  /// Returns a seed of the objects in a JSON file.
  ///
  /// If the file cannot be read, opening the fixture fails with `FiefError` of code `inputOutput`.
  ///
  /// - Parameters:
  ///   - type: the class of the objects.
  ///   - path: the path of the file. A relative path starts at the directory of the test's source file.
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
          "The seed file cannot be read.",
          path: url.path,
          underlying: error
        )
      }
      try json(type, document).plant(repository)
    }
  }

  /// Returns a seed whose content a closure writes.
  public static func writing(_ body: @escaping @Sendable (WriteTransaction) throws -> Void) -> StoreSeed {
    StoreSeed { try $0.write(body) }
  }
}
