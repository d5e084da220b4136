import Fief
import Foundation

/// An import by an application: its feed, its store and its options.
struct StoreImport: Sendable {
  /// The bytes of a feed, which can be read more than once.
  // SAFETY: a temporary file is complete before the import begins, and then only the thread of the import
  // uses it.
  enum Source: @unchecked Sendable {
    case file(URL)
    case copy(TemporaryFile)

    /// Returns a function that reads from the beginning, some bytes per call.
    func reader() throws -> () throws -> Data {
      switch self {
      case .copy(let file): return try file.reader()
      case .file(let url):
        let handle = try FileHandle(forReadingFrom: url)
        return { try handle.read(upToCount: 1 << 18) ?? Data() }
      }
    }
  }

  let source: Source
  let options: ImportOptions
  let isCSV: Bool
  private let store: DynamicStore
  private let type: DynamicType?
  private let declared: DeclaredProperties

  /// - Throws: ``FiefError`` of code `unknownType` if the repository does not have the type, or if no type is
  ///   given for CSV; `nestedWrite` in an optimistic transaction of the store.
  init(
    _ source: Source,
    _ type: Object.Type?,
    _ options: ImportOptions,
    into repository: some DatabaseConfigurable
  ) throws {
    let handle = repository.store()
    let core = try type.map { try handle.core(for: $0) } ?? handle.core()
    // The import writes through another handle, and possibly on another thread.
    try core.checkNoTransaction()
    (self.source, self.options) = (source, options)
    if case .file(let url) = source, options.format == nil {
      isCSV = url.pathExtension.lowercased() == "csv"
    } else {
      isCSV = options.format == .csv
    }
    let settings = repository.storeOptions
    let store = try DynamicStore(
      directory: core.directory,
      isReadOnly: false,
      verification: .quick,
      encryption: settings.encryption,
      allowsGroupWritableDirectory: settings.allowsGroupWritableDirectory
    )
    let name = try type.map { try core.binding(of: $0).table.name }
    let found = name.flatMap { name in store.types.first { $0.name == name } }
    (self.store, self.type, declared) = (store, found, try DeclaredProperties(of: core))
    if isCSV, found == nil {
      throw FiefError(
        .unknownType,
        "CSV is a table of one type: name the type of the objects.",
        store: core.name
      )
    }
  }

  /// Imports everything.
  ///
  /// - Parameter isCancelled: returns whether to end between two batches.
  /// - Throws: `CancellationError`, ``ImportProblem``, ``FiefError``, and errors of reading the feed.
  func run(isCancelled: () -> Bool = { false }) throws -> ImportResult {
    defer { store.close() }
    if store.hasLimits { return try runTogether(isCancelled) }
    let reached = try options.id.flatMap { id in try store.read { try $0.importedLine(of: id) } }
    let objects = makeImport(
      ObjectImport.Start(line: (reached ?? 0) + 1, notes: options.id, isResumed: reached != nil)
    )
    try fill(objects, isCancelled) { try store.write($0) }
    if let id = options.id { try store.write { try $0.forgetImport(id) } }
    return ImportResult(objects)
  }

  /// Imports all lines in one transaction, so that lines can refer to objects of other lines.
  private func runTogether(_ isCancelled: () -> Bool) throws -> ImportResult {
    // Creates a new import for each attempt, because the transaction may run its closure again.
    var objects = makeImport(ObjectImport.Start())
    try store.write { transaction in
      objects = makeImport(ObjectImport.Start())
      try fill(objects, isCancelled) { try $0(transaction) }
    }
    return ImportResult(objects)
  }

  private func makeImport(_ start: ObjectImport.Start) -> ObjectImport {
    let objects = ObjectImport(
      store,
      type,
      isCSV: isCSV,
      options.onConflict,
      options.json,
      start,
      showsValues: false
    )
    objects.stopsAtProblem = options.stopsAtProblem
    objects.declared = declared
    return objects
  }

  private func fill(_ objects: ObjectImport, _ isCancelled: () -> Bool, _ transact: ObjectImport.Transact)
    throws
  {
    var reader = RecordReader(isCSV: isCSV, read: try source.reader())
    if isCSV { objects.columns = try heading(&reader) }
    try objects.run(&reader, transact) { consumed in
      options.progress?(consumed)
      return !isCancelled()
    }
    if objects.interruptedAt != nil { throw CancellationError() }
    objects.checkEnd()
    // Every other problem was already thrown in its batch.
    if options.stopsAtProblem, let problem = objects.wrong.first { throw problem }
  }

  /// Returns the names in the first row of CSV.
  ///
  /// - Throws: ``ImportProblem`` if the row is not CSV, if the type does not have one of the names, or if a
  ///   name occurs twice.
  private func heading(_ reader: inout RecordReader) throws -> [String] {
    guard let row = try reader.next() else { return [] }
    func problem(_ error: FiefError) -> ImportProblem { ImportProblem(line: row.line, error) }
    let names: [String]
    do { names = try CSVText.cells(of: row.bytes).map(\.text) } catch {
      throw problem(FiefError(.invalidValue, "The heading is not CSV.", details: ["\(error)"]))
    }
    let known = type?.lineColumns ?? []
    for (index, name) in names.enumerated() {
      if !known.contains(name) {
        throw problem(
          FiefError(
            .unknownProperty,
            "The heading names a property that the type does not have.",
            type: type?.name,
            property: name,
            details: NearestName.find(name, in: known).map { ["did you mean '\($0)'?"] } ?? []
          )
        )
      }
      if names[..<index].contains(name) {
        throw problem(
          FiefError(.invalidValue, "The heading names a property twice.", type: type?.name, property: name)
        )
      }
    }
    return names
  }
}
