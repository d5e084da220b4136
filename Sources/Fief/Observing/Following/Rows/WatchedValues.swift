import LMDB

/// What some ways from a row lead to, through links, embedded objects and collections of them.
///
/// All of it makes one stamp. A way that ends at a link is about where it leads, not about the object there.
final class WatchedValues {
  /// How many links a way may have.
  static let mostLinks = 4

  /// A column of a type, and what is watched behind it.
  private struct Node {
    let column: ColumnEntry
    /// The way back, of an inverse.
    let inverse: Table.LinkColumn?
    let target: Table?
    var isEnd = false
    var nodes: [Node] = []
  }

  private var nodes: [Node] = []
  private let table: Table
  /// The columns that are looked at, by type.
  private(set) var columns: [String: ColumnSet] = [:]
  /// The types whose objects are found behind links.
  private(set) var linkedTypes: Set<String> = []

  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery` for a way that cannot be watched.
  init(_ paths: [QueryPath], _ binder: QueryBinder) throws {
    table = binder.table
    columns[table.name] = ColumnSet()
    for path in paths { try insert(path.steps[...], path, of: table, into: &nodes, links: 0, binder) }
  }

  private func insert(
    _ steps: ArraySlice<QueryPath.Step>,
    _ path: QueryPath,
    of table: Table,
    into nodes: inout [Node],
    links: Int,
    _ binder: QueryBinder
  ) throws {
    guard let step = steps.first else { return }
    guard case .property(let name) = step else {
      throw binder.invalid("A single key of a map cannot be watched.", property: path.text)
    }
    let column = try binder.column(named: name, of: table)
    let target = column.type.target.flatMap { binder.tables[$0] }
    var inverse: Table.LinkColumn?
    if column.type.kind == .linkingObjects {
      inverse = try self.inverse(column, target, path, binder)
    } else if table.records != nil {
      columns[table.name, default: ColumnSet()].insert(column.id)
    }
    let place = nodes.firstIndex { $0.column.id == column.id && $0.column.name == column.name }
    if place == nil { nodes.append(Node(column: column, inverse: inverse, target: target)) }
    let index = place ?? nodes.count - 1
    let rest = steps.dropFirst()
    if rest.isEmpty {
      nodes[index].isEnd = true
      return
    }
    guard let target else {
      throw binder.invalid("A value that is no object has no properties.", property: path.text)
    }
    let isLink = column.type.kind != .embedded
    let count = links + (isLink ? 1 : 0)
    guard count <= Self.mostLinks else {
      throw binder.invalid(
        "A way with so many links cannot be watched.",
        property: path.text,
        details: ["the limit: \(Self.mostLinks)"]
      )
    }
    if isLink {
      linkedTypes.insert(target.name)
      if columns[target.name] == nil { columns[target.name] = ColumnSet() }
    }
    try insert(rest, path, of: target, into: &nodes[index].nodes, links: count, binder)
  }

  private func inverse(
    _ column: ColumnEntry,
    _ source: Table?,
    _ path: QueryPath,
    _ binder: QueryBinder
  ) throws -> Table.LinkColumn {
    guard let source, let origin = column.originProperty,
      let name = binder.names.column(origin, source.name),
      let link = source.links.first(where: { $0.column.name == name })
    else { throw binder.invalid("The type has no link of that name.", property: path.text) }
    columns[source.name, default: ColumnSet()].insert(link.column.id)
    linkedTypes.insert(source.name)
    return link
  }

  // MARK: Stamps

  /// What is no bytes.
  private enum Absence: UInt64 { case nothing = 1, missing }

  private static func next(_ hash: UInt64, _ absence: Absence) -> UInt64 {
    StableHash.hash(UnsafeRawBufferPointer(start: nil, count: 0), seed: ~hash &+ absence.rawValue)
  }

  func stamp(of row: QueryRow, in environment: QueryEnvironment) throws -> UInt32 {
    var hash: UInt64 = 0
    for node in nodes { try add(node, of: table, row.key, row.view, environment, to: &hash) }
    return UInt32(truncatingIfNeeded: hash ^ (hash >> 32))
  }

  private func add(
    _ node: Node,
    of table: Table,
    _ key: UnsafeRawBufferPointer,
    _ view: RecordView,
    _ environment: QueryEnvironment,
    to hash: inout UInt64
  ) throws {
    if let inverse = node.inverse {
      return try addSources(node, inverse, of: key, environment, to: &hash)
    }
    try table.payload(of: node.column, in: view) { payload in
      guard let payload else { return hash = Self.next(hash, .nothing) }
      let isCollection = node.column.type.container != .none
      let marker = isCollection ? try CollectionMarker(payload) : nil
      if node.isEnd {
        hash = StableHash.hash(payload, seed: hash)
        if let marker { hash = try marker.hash(hash, environment) }
      }
      if node.nodes.isEmpty { return }
      guard isCollection else { return try addTarget(payload, node, environment, to: &hash) }
      guard let marker else {
        return try CollectionPayload.forEach(payload, type: node.column.type) { name, element in
          if let name { hash = StableHash.hash(name, seed: hash) }
          if let element { try addTarget(element, node, environment, to: &hash) }
        }
      }
      let large = try LargeCollection.at(
        marker,
        type: node.column.type,
        tables: environment.tables,
        in: environment.transaction
      )
      try large.forEachValue { name, element in
        if let name { hash = StableHash.hash(name, seed: hash) }
        try addTarget(element, node, environment, to: &hash)
      }
    }
  }

  /// Adds what is watched of a linked or an embedded object.
  private func addTarget(
    _ payload: UnsafeRawBufferPointer,
    _ node: Node,
    _ environment: QueryEnvironment,
    to hash: inout UInt64
  ) throws {
    guard let target = node.target else { return }
    var key = payload
    var record: UnsafeRawBufferPointer? = payload
    if let records = target.records {
      record =
        ObjectKey.lengths.contains(key.count) ? try environment.transaction.get(records, key) : nil
    } else {
      key = UnsafeRawBufferPointer(start: nil, count: 0)
    }
    guard let record else { return hash = Self.next(hash, .missing) }
    let view = try target.view(record)
    for next in node.nodes { try add(next, of: target, key, view, environment, to: &hash) }
  }

  private func addSources(
    _ node: Node,
    _ inverse: Table.LinkColumn,
    of key: UnsafeRawBufferPointer,
    _ environment: QueryEnvironment,
    to hash: inout UInt64
  ) throws {
    let prefix = CompositeKey.first([UInt8](key))
    let cursor = try environment.transaction.cursor(inverse.backlinks)
    var found = try prefix.withUnsafeBytes { try cursor.seek(atOrAfter: $0) }
    while found, cursor.key.starts(with: prefix) {
      let source = CompositeKey.objectKey(key: cursor.key, value: cursor.value, prefixCount: prefix.count)
      try source.bytes.withUnsafeBytes { bytes in
        if node.isEnd { hash = StableHash.hash(bytes, seed: hash) }
        if !node.nodes.isEmpty { try addTarget(bytes, node, environment, to: &hash) }
      }
      found = try cursor.next()
    }
  }
}
