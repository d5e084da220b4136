import FiefCore
import LMDB

/// The value of a watched path for one object, as a hash, and the objects on the path.
///
/// If the path ends at a link, its value is the link's target, not the content of the target. If a value on
/// the path is `nil` or a link has no existing target, the value is `nil`.
struct WatchedValue {
  /// The maximum number of objects on the path that are tracked. One more is kept to detect that the limit
  /// was exceeded.
  static let mostVisited = 1024

  /// The objects that links on the path lead to, with their levels. The list includes missing targets,
  /// because they may be inserted.
  private(set) var visited: [(level: Int, key: ObjectKey)] = []
  private(set) var hash: KeyedHash
  private let path: WatchedPath
  private let tables: StoreTables
  private let transaction: LMDB.Transaction
  private let notesVisited: Bool

  /// Follows a path.
  ///
  /// - Parameters:
  ///   - hash: the hash of the values before this one.
  ///   - notesVisited: whether to collect `visited`.
  init(
    _ path: WatchedPath,
    of key: UnsafeRawBufferPointer,
    _ view: RecordView,
    _ tables: StoreTables,
    in transaction: LMDB.Transaction,
    after hash: KeyedHash = KeyedHash(),
    notesVisited: Bool
  ) throws {
    self.path = path
    self.tables = tables
    self.transaction = transaction
    self.notesVisited = notesVisited
    self.hash = hash
    try walk(0, level: 0, path.levels[0].table, key, view)
  }

  private mutating func addNil() { hash.add(.missing) }

  private mutating func walk(
    _ index: Int,
    level: Int,
    _ table: Table,
    _ key: UnsafeRawBufferPointer?,
    _ view: RecordView
  ) throws {
    switch path.steps[index].kind {
    case .column(let column):
      try table.payload(of: column, in: view, key: key) {
        try take($0, column.type, index, level: level)
      }
    case .inverse(let link):
      guard let key else { return addNil() }
      let sources = try Backlinks.sources(of: link, to: [UInt8](key), in: transaction)
      hash.add(.start)
      for source in sources {
        try source.bytes.withUnsafeBytes { try enter($0, index, level: level) }
      }
      hash.add(.end)
    case .mapKey: break
    }
  }

  /// Adds the value that a step has reached.
  private mutating func take(
    _ payload: UnsafeRawBufferPointer?,
    _ type: ColumnType,
    _ index: Int,
    level: Int
  ) throws {
    let isLast = index == path.steps.count - 1
    guard let payload else { return addNil() }
    if type.container == .none { return try isLast ? hash.add(payload) : enter(payload, index, level: level) }
    if isLast { return hash.add(try ContentHash.of(payload, type, tables, in: transaction)) }
    if type.container == .map, case .mapKey(let name) = path.steps[index + 1].kind {
      return try takeElement(of: name, payload, type, index + 1, level: level)
    }
    try enterEach(payload, type, index, level: level)
  }

  private mutating func takeElement(
    of name: [UInt8],
    _ payload: UnsafeRawBufferPointer,
    _ type: ColumnType,
    _ index: Int,
    level: Int
  ) throws {
    var element: [UInt8]?
    if let marker = try CollectionMarker(payload) {
      let map = try LargeCollection.at(marker, type: type, tables: tables, in: transaction)
      element = try name.withUnsafeBytes { name in
        try (map as? LargeTable)?.withElement(of: name) { $0.map { [UInt8]($0) } }
      }
      if element == nil { _ = try map.existingCount() }
    } else {
      try ElementRun(payload: payload).forEach(type: type) { key, bytes in
        if let key, key.elementsEqual(name) { element = [UInt8](bytes) }
      }
    }
    guard let element else { return addNil() }
    try element.withUnsafeBytes {
      let value = try CollectionPayload.value($0, type: type)
      try take(value, path.steps[index].type, index, level: level)
    }
  }

  /// Follows the path into each object of a collection.
  private mutating func enterEach(
    _ payload: UnsafeRawBufferPointer,
    _ type: ColumnType,
    _ index: Int,
    level: Int
  ) throws {
    hash.add(.start)
    func take(_ run: ElementRun) throws {
      try run.forEach(type: type) { key, element in
        if let key { hash.add(key) }
        guard let value = try CollectionPayload.value(element, type: type) else { return addNil() }
        try enter(value, index, level: level)
      }
    }
    if let marker = try CollectionMarker(payload) {
      let large = try LargeCollection.at(marker, type: type, tables: tables, in: transaction)
      try large.forEachRun { run in
        try take(run)
        return true
      }
    } else {
      try take(try ElementRun(payload: payload))
    }
    hash.add(.end)
  }

  /// Follows the path into a linked or embedded object.
  private mutating func enter(_ value: UnsafeRawBufferPointer, _ index: Int, level: Int) throws {
    guard let target = path.steps[index].target else { return addNil() }
    guard let records = target.records else {
      return try walk(index + 1, level: level, target, nil, try target.view(value))
    }
    let isLast = index == path.steps.count - 1
    if isLast { return hash.add(value) }
    guard ObjectKey.lengths.contains(value.count) else { return addNil() }
    // A path can reach more objects than the limit. The interest then covers their types.
    if notesVisited, visited.count <= Self.mostVisited { visited.append((level + 1, ObjectKey(value))) }
    guard let record = try transaction.get(records, value) else { return addNil() }
    try walk(index + 1, level: level + 1, target, value, try target.view(record))
  }
}
