import FiefCore

/// The columns that a query reads to determine its rows and their order, by type.
///
/// The set may contain further columns if the exact ones are hard to determine.
struct QueryDependencies {
  /// The columns by type name. A property of an embedded object counts as the column of its owner.
  private(set) var columns: [String: ColumnSet] = [:]
  /// Whether a row depends on more than its own record and the record's own collections.
  private(set) var readsOthers = false
  /// Whether the rows are ordered by relevance, which depends on all rows.
  private(set) var isRanked = false
  /// The type of the rows.
  let typeName: String
  private let binder: QueryBinder
  /// The objects of the nested scopes, the outermost first.
  private var scopes: [Place]

  /// The current end of a path.
  private struct Place {
    /// The object's type, or the element type of a collection.
    var table: Table?
    var type: ColumnType
    /// Whether the path has left the row's own object.
    var isOther = false
    /// The column at the end of the path, and its table.
    var column: (entry: ColumnEntry, table: Table)?
  }

  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`.
  init(_ description: QueryDescription, _ binder: QueryBinder) throws {
    self.binder = binder
    let table = binder.table
    typeName = table.name
    scopes = [Place(table: table, type: ColumnType(.link, target: table.name))]
    columns[table.name] = ColumnSet()
    try description.condition.map { try add($0) }
    for order in description.order {
      switch order.key {
      case .path(let path): _ = try add(path)
      case .relevance: isRanked = true
      }
    }
    for path in description.distinct { _ = try add(path) }
  }

  private mutating func add(_ condition: QueryCondition) throws {
    switch condition {
    case .constant: break
    case .not(let condition): try add(condition)
    case .all(let conditions), .any(let conditions): for condition in conditions { try add(condition) }
    case .comparison(let first, _, let second, _):
      try add(first)
      try add(second)
    case .oneOf(let operand, _, _): try add(operand)
    case .quantified(_, let collection, let condition): try add(collection) { try $0.add(condition) }
    case .matches(let path, _): _ = try add(path)
    case .within(let path, _):
      _ = try add(path.step(GeoRegion.typeName))
      _ = try add(path.step(GeoRegion.coordinatesName))
    }
  }

  private mutating func add(_ operand: QueryOperand) throws {
    switch operand {
    case .value: break
    case .path(let path), .typeName(let path): _ = try add(path)
    case .arithmetic(let first, _, let second), .coalesced(let first, let second):
      try add(first)
      try add(second)
    case .negative(let operand), .length(let operand), .lowercased(let operand), .uppercased(let operand):
      try add(operand)
    case .count(let collection, let condition):
      try add(collection, isCountOnly: condition == nil) { walk in try condition.map { try walk.add($0) } }
    case .aggregate(_, let collection, let path):
      try add(collection) { walk in _ = try walk.add(path ?? .element) }
    case .conditional(let condition, let first, let second):
      try add(condition)
      try add(first)
      try add(second)
    case .truth(let condition): try add(condition)
    }
  }

  private mutating func add(
    _ collection: QueryCollection,
    isCountOnly: Bool = false,
    _ body: (inout QueryDependencies) throws -> Void
  ) throws {
    var place = try add(collection.path)
    if collection.part == .keys { place.table = nil }
    // Each element is looked up, and elements without an object do not count.
    if place.type.kind == .link, !isCountOnly, collection.part != .keys { note(other: place.table) }
    place.isOther = place.isOther || place.type.kind != .embedded
    place.type.container = .none
    place.column = nil
    scopes.append(place)
    defer { scopes.removeLast() }
    try body(&self)
  }

  /// Adds the columns of a path, and returns the end of the path.
  private mutating func add(_ path: QueryPath) throws -> Place {
    guard path.scope >= 0, path.scope < scopes.count else {
      throw binder.invalid("A path begins outside the query.", property: path.text)
    }
    var place = scopes[scopes.count - 1 - path.scope]
    for (index, step) in path.steps.enumerated() {
      switch step {
      case .mapKey, .index: place.type.container = .none
      case .property(let name):
        guard let table = place.table else {
          throw binder.invalid("Only objects have properties.", property: path.text)
        }
        if index > 0, place.type.kind == .link { place.isOther = true }
        if place.isOther { note(other: place.table) }
        let entry = try binder.column(named: name, of: table)
        place.type = entry.type
        place.table = entry.type.target.flatMap { binder.tables[$0] }
        place.column = (entry, table)
        note(entry, of: table, source: place.table)
      }
    }
    noteEnd(place)
    return place
  }

  private mutating func note(_ column: ColumnEntry, of table: Table, source: Table?) {
    if column.type.kind == .linkingObjects {
      note(other: source)
      guard let source else { return }
      let origin = column.originProperty.flatMap { binder.names.column($0, source.name) }
      if let origin = origin.flatMap(source.entry.column(named:)) {
        columns[source.name, default: ColumnSet()].insert(origin.id)
      } else {
        columns[source.name] = .all
      }
    } else if table.records != nil {
      columns[table.name, default: ColumnSet()].insert(column.id)
    }
  }

  /// A link without an existing target reads as `nil`, so the target's existence matters.
  private mutating func noteEnd(_ place: Place) {
    guard place.type.kind == .link, place.type.container == .none, let (entry, table) = place.column else {
      return
    }
    let mayDangle = table.records == nil || table.links.contains { $0.column.id == entry.id && $0.mayDangle }
    if mayDangle { note(other: place.table) }
  }

  private mutating func note(other table: Table?) {
    guard let table else { return }
    readsOthers = true
    // Embedded objects are stored in the record of their owner.
    if table.records != nil, columns[table.name] == nil { columns[table.name] = ColumnSet() }
  }
}
