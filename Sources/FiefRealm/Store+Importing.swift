import Fief
public import Foundation

extension Store {
  /// Imports the objects that an application has exported from Realm, before the store is opened for the first time.
  ///
  /// The export is a file of JSON lines, as the exporter in the article *Coming from Realm* of the module `Fief` writes it. Objects are
  /// imported into a store beside the one of the configuration, a thousand at a time, links after all objects. If every object is there
  /// and the numbers of objects are those at the end of the export, this store takes its place in one step. After an interruption at any
  /// moment the next call goes on with the same export. Opening the store meanwhile fails with `cannotOpen`. The export is not changed.
  ///
  /// ```swift
  /// if try Realm.importObjects(from: export, configuration: configuration) { print("imported") }
  /// let realm = try Realm(configuration: configuration)
  /// ```
  /// - Parameters:
  ///   - export: the file.
  ///   - configuration: the store on disk, with its classes and its key.
  ///   - progress: called after each batch with the part of the file that has been read, from 0 to 1. An error
  ///     that it throws interrupts the import, and the next call goes on.
  /// - Returns: false if the store exists; nothing is imported then.
  /// - Throws: ``FiefError`` of code `validationFailed` if objects of the export do not fit the classes, links lead to nothing or objects
  ///   are missing, with what is wrong in its details; `malformedJSON` if the file is no such export; `storeInUse` while another
  ///   process imports; and others. The store does not exist then.
  @discardableResult
  public static func importObjects(
    from export: URL,
    configuration: Configuration,
    progress: (Double) throws -> Void = { _ in }
  ) throws -> Bool {
    try StagedImport(configuration).run(export, progress)
  }
}
