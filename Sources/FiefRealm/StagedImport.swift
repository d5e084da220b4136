import Fief
import FiefEncryption
import FiefImport
import Foundation

/// A store that an import fills in a directory beside the configuration's store. When it is complete, it is
/// moved to the directory of the store.
struct StagedImport {
  private let configuration: Store.Configuration
  /// The directory of the store.
  private let directory: URL
  /// The directory in which the store is filled.
  private let staging: URL

  /// - Throws: ``FiefError`` of code `cannotOpen` if the configuration is for a store in memory or for
  ///   reading only.
  init(_ configuration: Store.Configuration) throws {
    guard let url = configuration.fileURL, url.isFileURL, !configuration.readOnly else {
      throw FiefError(
        .cannotOpen,
        "Objects can be imported only into a writable store on disk: set fileURL, and do not set readOnly.",
        path: configuration.fileURL?.path
      )
    }
    directory = try Self.directory(of: ConfiguredRepository(configuration), url)
    staging = Self.staging(of: directory)
    var staged = configuration
    staged.fileURL = staging
    staged.seedFilePath = nil
    staged.deleteRealmIfMigrationNeeded = false
    staged.shouldCompactOnLaunch = nil
    self.configuration = staged
  }

  private static func staging(of directory: URL) -> URL {
    directory.deletingLastPathComponent().appendingPathComponent(directory.lastPathComponent + ".importing")
  }

  /// Returns the directory of a store. A `StoreManager` may keep the default store in a different directory.
  private static func directory(of repository: ConfiguredRepository, _ url: URL) throws -> URL {
    let directory =
      repository.directory == nil
      ? URL(filePath: try StoreRegistry.shared.storageDirectory(of: repository), directoryHint: .notDirectory)
      : ConfiguredRepository.storeDirectory(url)
    return directory.standardizedFileURL
  }

  private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  /// Checks that no import into the store is unfinished.
  ///
  /// - Throws: ``FiefError`` of code `cannotOpen`.
  static func checkFinished(_ repository: ConfiguredRepository, _ url: URL?) throws {
    guard let url else { return }
    let directory = try directory(of: repository, url)
    guard exists(staging(of: directory)), !exists(directory) else { return }
    throw FiefError(
      .cannotOpen,
      "An import into the store is not complete: call Realm.importObjects(from:configuration:) before opening the store.",
      path: directory.path
    )
  }

  func run(_ export: URL, _ progress: (Double) throws -> Void) throws -> Bool {
    if Self.exists(directory) {
      try checkExisting(export)
      return false
    }
    let lock = try ImportLock(staging.path + ".lock")
    defer { lock.release(isRemoved: Self.exists(directory)) }
    // Another process may have imported before this one got the lock.
    if Self.exists(directory) { return false }
    let id = try identifier(of: export)
    var store = try open()
    var reached = try store.read { try $0.importedLine(of: id) }
    if reached == nil {
      // Nothing was committed, or the objects come from another export.
      store.close()
      try FileManager.default.removeItem(at: staging)
      store = try open()
      reached = nil
    }
    do { try fill(store, from: export, id, reached, progress) } catch {
      store.close()
      if (error as? FiefError)?.code == .validationFailed { try? FileManager.default.removeItem(at: staging) }
      throw error
    }
    store.close()
    try FileManager.default.moveItem(at: staging, to: directory)
    return true
  }

  /// Checks that a store that exists was imported, or has objects.
  ///
  /// - Throws: ``FiefError`` of code `validationFailed` if the store was created without its objects. They
  ///   would otherwise seem to be lost.
  private func checkExisting(_ export: URL) throws {
    guard Self.exists(export) else { return }
    let store = try DynamicStore(
      directory: directory.path,
      isReadOnly: true,
      // An application imports at each launch.
      verification: .quick,
      encryption: configuration.encryptionKey.map { .key($0) }
    )
    defer { store.close() }
    if try store.read({ try $0.importedLine(of: Self.completion) }) != nil { return }
    let types = store.types.filter { !$0.isEmbedded }
    guard try types.allSatisfy({ try store.count(of: $0.name) == 0 }) else { return }
    throw failure(
      "The store exists without objects, and nothing was imported: delete it with Realm.deleteFiles(for:), and import again.",
      []
    )
  }

  /// The identifier under which a store notes that an import filled it.
  private static let completion = UUID(
    uuid: (0xF1, 0xEF, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0x43)
  )

  /// Creates the store, or migrates it to the classes of the configuration, and then opens it without the
  /// classes.
  private func open() throws -> DynamicStore {
    let store = try Store(configuration: configuration)
    store.close()
    return try DynamicStore(
      directory: staging.path,
      isReadOnly: false,
      encryption: configuration.encryptionKey.map { .key($0) }
    )
  }

  /// Returns the identifier in the first line of an export.
  private func identifier(of export: URL) throws -> UUID {
    var reader = try reader(of: export)
    if let first = try reader.next(), let id = ExportMark.identifier(first.bytes) { return id }
    throw FiefError(
      .malformedJSON,
      "The file is not an export: its first line has no identifier.",
      path: export.path,
      details: ["expected: {\"$export\":\"…\"} with a UUID"]
    )
  }

  private func reader(of export: URL) throws -> RecordReader {
    let handle = try FileHandle(forReadingFrom: export)
    return RecordReader(isCSV: false) { try handle.read(upToCount: 1 << 18) ?? Data() }
  }

  private func fill(
    _ store: DynamicStore,
    from export: URL,
    _ id: UUID,
    _ reached: Int?,
    _ progress: (Double) throws -> Void
  ) throws {
    let size = try FileManager.default.attributesOfItem(atPath: export.path)[.size] as? Int ?? 0
    var options = JSONOptions.default
    options.numericDates = .refused("an export has dates as texts")
    let start = ObjectImport.Start(line: (reached ?? 0) + 1, blind: 1, notes: id, isResumed: reached != nil)
    let objects = ObjectImport(store, nil, isCSV: false, .error, options, start, showsValues: false)
    var reader = try reader(of: export)
    do {
      try objects.run(&reader, { try store.write($0) }) { consumed in
        try progress(size > 0 ? min(Double(consumed) / Double(size), 1) : 1)
        return true
      }
    } catch let problem as ImportProblem {
      let line = "line \(problem.line): \(problem.text)"
      throw FiefError(.malformedJSON, "The export is damaged.", path: export.path, details: [line])
    }
    guard let counts = objects.expectedCounts else {
      throw failure("The export ends before its last line: export the objects again.", [])
    }
    if objects.wrongCount > 0 {
      let more = objects.wrongCount - objects.wrong.count
      throw failure(
        "Objects of the export do not fit the classes.",
        objects.wrong.map { "line \($0.line): \($0.text)" } + (more > 0 ? ["and \(more) more"] : [])
      )
    }
    let types = Set(store.types.map(\.name))
    let differences = try counts.sorted { $0.key < $1.key }.compactMap { name, expected -> String? in
      let found = types.contains(name) ? try store.count(of: name) : 0
      return found == expected ? nil : "\(name): \(expected) objects in the export, \(found) in the store"
    }
    guard differences.isEmpty else {
      throw failure("The store does not have all objects of the export.", differences)
    }
    try store.write {
      try $0.forgetImport(id)
      // Later imports of the tool remove old notes, but not this one.
      try $0.noteImported(upTo: 1, of: Self.completion, at: .distantFuture)
    }
  }

  private func failure(_ message: String, _ details: [String]) -> FiefError {
    FiefError(
      .validationFailed,
      message,
      store: directory.lastPathComponent,
      path: directory.path,
      details: details
    )
  }
}
