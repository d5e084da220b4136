import Fief
import Foundation

/// Fief's side of each row, through its public interface alone: what `Peers/rows.hpp` is for the others.
///
/// Each row measures, and checks the answers or the store that it left behind.
final class FiefRows {
  let directory: String
  let workload: Workload
  private var loaded: [StoreKind: (repository: BenchmarkRepository, bytes: Double)] = [:]
  /// The repository of the rows about links, once it is there.
  var links: BenchmarkRepository?
  /// The repository of the rows about lists, by the length of the list.
  var lists: [Int: BenchmarkRepository] = [:]
  /// The repository of the rows about a set and a map, once it is there.
  var bags: BenchmarkRepository?
  /// The stores of the rows about trees, once one was asked for.
  var trees: FiefTrees?
  /// How the stores are encrypted; nil for stores in clear.
  let encryption: StoreEncryption?
  /// The rows of encrypted stores, once one was asked for.
  var encrypted: FiefRows?

  init(directory: String, _ workload: Workload, encryption: StoreEncryption? = nil) throws {
    self.directory = directory
    self.workload = workload
    self.encryption = encryption
    try Files.makeEmpty(directory)
  }

  func end() {
    for (repository, _) in loaded.values { repository.close() }
    links?.close()
    for list in lists.values { list.close() }
    bags?.close()
    trees?.end()
    encrypted?.end()
    Files.remove(directory)
  }

  /// Measures a row; nil for one that is not Fief's.
  func figure(of row: String, times: Int) throws -> Figure? {
    let kinds = [
      readFigure, openedFigure, queryFigure, insertFigure, commitFigure, changeFigure, openingFigure,
      linkFigure,
      listFigure, setFigure,
      migrationFigure, derivedFigure, watchFigure, encryptedFigure, treeFigure, treeRulesFigure,
      treeTransferFigure,
    ]
    for figure in kinds {
      if let figure = try figure(row, times) { return figure }
    }
    return nil
  }

  /// The loaded store of a kind, which no row changes; it stays open.
  func store(_ kind: StoreKind) throws -> BenchmarkRepository { try base(kind).repository }

  /// The bytes of the files of a loaded store.
  func bytes(_ kind: StoreKind) throws -> Double { try base(kind).bytes }

  private func base(_ kind: StoreKind) throws -> (repository: BenchmarkRepository, bytes: Double) {
    if let known = loaded[kind] { return known }
    _ = try load(kind, in: path(kind))
    let base = (repository(kind, in: path(kind)), try Files.bytes(of: path(kind)))
    try base.0.open()
    loaded[kind] = base
    return base
  }

  func repository(_ kind: StoreKind, in directory: String) -> BenchmarkRepository {
    var repository = BenchmarkRepository(kind.types, in: directory)
    repository.storeOptions.encryption = encryption
    return repository
  }

  func path(_ kind: StoreKind) -> String { directory + "/" + kind.rawValue }

  /// The directory of the stores that rows change.
  var work: String { directory + "/W" }

  /// Inserts everything in one commit, and checks what is there after opening it again.
  func load(_ kind: StoreKind, in directory: String) throws -> Double {
    try Files.makeEmpty(directory)
    let objects: [Object] =
      switch kind {
      case .plain: workload.persons.map { StoredPerson($0) }
      case .indexed: workload.persons.map { IndexedPerson($0) }
      case .related: workload.persons.map { Owner(withDogs: $0) }
      }
    let repository = repository(kind, in: directory)
    try repository.open()
    let seconds = try Clock.time { try repository.insert(objects) }
    repository.close()
    try Files.synchronize(directory)
    try repository.open()
    try verify(repository, kind, count: workload.count, full: workload.full)
    repository.close()
    return seconds
  }

  func verify(_ repository: BenchmarkRepository, _ kind: StoreKind, count: Int, full: UInt64) throws {
    switch kind {
    case .plain: try repository.verify(StoredPerson.self, count: count, full: full)
    case .indexed: try repository.verify(IndexedPerson.self, count: count, full: full)
    case .related:
      try repository.verify(Owner.self, count: count, full: full)
      try check("A_rel", try dogSum(repository, Array(1...workload.count)), workload.dogSum)
    }
  }

  /// Runs a change on a fresh copy of a loaded store, and checks the copy after opening it again.
  func onCopy(
    _ kind: StoreKind,
    count: Int,
    full: UInt64,
    _ change: (BenchmarkRepository) throws -> Double
  ) throws -> Double {
    _ = try base(kind)
    try Files.copy(path(kind), to: work)
    defer { Files.remove(work) }
    let repository = repository(kind, in: work)
    try repository.open()
    // A warm-up, as the other peers have it.
    try check("copy", try ageSum(repository, kind), workload.ageSum)
    let seconds = try change(repository)
    repository.close()
    try repository.open()
    defer { repository.close() }
    try verify(repository, kind, count: count, full: full)
    return seconds
  }

  private func ageSum(_ repository: BenchmarkRepository, _ kind: StoreKind) throws -> Int {
    switch kind {
    case .plain: try sumOfAges(repository, StoredPerson.self)
    case .indexed: try sumOfAges(repository, IndexedPerson.self)
    case .related: try sumOfAges(repository, Owner.self)
    }
  }

  /// The median of several runs.
  func repeated(_ times: Int, operations: Int, _ run: () throws -> Double) throws -> Figure {
    var seconds: [Double] = []
    for _ in 0..<times { seconds.append(try run()) }
    return Figure(value: seconds.sorted()[times / 2], operations: Double(operations))
  }

  /// The mean of several runs, after one that does not count.
  func reading(_ times: Int, operations: Int, _ run: () throws -> Void) throws -> Figure {
    try run()
    let seconds = try Clock.time { for _ in 0..<times { try run() } }
    return Figure(value: seconds / Double(times), operations: Double(operations))
  }

  func check<Value: Equatable>(_ row: String, _ found: Value, _ wanted: Value) throws {
    guard found == wanted else { throw BenchmarkError("row \(row): found \(found), expected \(wanted)") }
  }
}
