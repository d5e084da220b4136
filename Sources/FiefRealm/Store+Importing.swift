import Fief
public import Foundation

extension Store {
  /// Imports the objects that an application exported from Realm. Call it before you open the store for the
  /// first time.
  ///
  /// The export is a file of JSON lines, written by the exporter in the article *Coming from Realm* of the
  /// module `Fief`. The import fills a new store beside the configuration's store, a thousand objects at a
  /// time, and sets links after all objects. If the numbers of objects equal the numbers at the end of the
  /// export, the new store is moved to the configuration's location in one step. If the import is
  /// interrupted, the next call continues with the same export. Until then, opening the store fails with
  /// `cannotOpen`. The export is not changed.
  ///
  /// ```swift
  /// if try Realm.importObjects(from: export, configuration: configuration) { print("imported") }
  /// let realm = try Realm(configuration: configuration)
  /// ```
  /// - Parameters:
  ///   - export: the file.
  ///   - configuration: the store on disk, with its classes and its key.
  ///   - progress: receives the fraction of the file that was read, from 0 to 1, after each batch. If it
  ///     throws an error, the import is interrupted, and the next call continues it.
  /// - Returns: `false` if an earlier call has imported objects, or if the store has objects of its own. In
  ///   this case nothing is imported.
  /// - Throws: ``FiefError`` of code `validationFailed` if objects do not fit the classes, targets of links
  ///   do not exist, or objects are missing; the details list the problems. The code is also
  ///   `validationFailed` if the store already exists without objects although nothing was imported: delete
  ///   it, and import again. The code is `malformedJSON` if the file is not an export, and `storeInUse` if
  ///   another process is importing. After an error of an import the store does not exist.
  @discardableResult
  public static func importObjects(
    from export: URL,
    configuration: Configuration,
    progress: (Double) throws -> Void = { _ in }
  ) throws -> Bool {
    try StagedImport(configuration).run(export, progress)
  }
}
