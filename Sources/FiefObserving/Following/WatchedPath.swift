import FiefCore

/// A path whose value is watched, by the columns of a store: through links, inverses, embedded objects and collections of
/// these.
struct WatchedPath: Sendable {
  /// The greatest number of links in a watched path: each multiplies the objects to be read.
  static let mostLinks = 4

  struct Step: Sendable {
    enum Kind: Sendable {
      /// A column of the object, or of the embedded object, that the path has reached.
      case column(ColumnEntry)
      /// The objects whose links lead to the object that the path has reached.
      case inverse(Table.LinkColumn)
      /// The value of a key in the map that the path has reached.
      case mapKey([UInt8])
    }

    let kind: Kind
    /// The type of the value there.
    let type: ColumnType
    /// The type of the object that it is, or of those in it.
    let target: Table?
  }

  /// The objects of one type on the path, behind the same number of links.
  struct Level: Sendable {
    let table: Table
    /// The columns that the path reads of them.
    var columns = ColumnSet()
    /// Whether all objects of the type matter, since a change of its own may put any of them on the path.
    var isOfAll = false
  }

  private(set) var steps: [Step] = []
  /// The object's own is the first.
  private(set) var levels: [Level]
  /// The property of the object that changes where the value does.
  let first: ColumnEntry

  /// Whether it is a stored property of the object itself, and nothing beyond.
  var isColumn: Bool { steps.count == 1 && first.type.isStored }

  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`.
  init(_ path: QueryPath, _ binder: QueryBinder) throws {
    guard path.scope == 0, case .property(let name)? = path.steps.first else {
      throw binder.invalid("A watched path begins with a property of the object.", property: path.text)
    }
    first = try binder.column(named: name, of: binder.table)
    levels = [Level(table: binder.table)]
    var table: Table? = binder.table
    for index in path.steps.indices {
      let isLast = index == path.steps.count - 1
      switch path.steps[index] {
      case .mapKey(let key):
        guard var type = steps.last?.type, type.container == .map else {
          throw binder.invalid("Only a map has keys.", property: path.text)
        }
        type.container = .none
        steps.append(Step(kind: .mapKey(Array(key.utf8)), type: type, target: table))
        if type.kind == .link, !isLast, let table { levels.append(Level(table: table)) }
      case .index:
        throw binder.invalid("A part of a value of any type is not watched.", property: path.text)
      case .property(let name):
        guard let source = table else {
          throw binder.invalid("A value that is no object has no properties.", property: path.text)
        }
        let column = try binder.column(named: name, of: source)
        table = column.type.target.flatMap { binder.tables[$0] }
        if column.type.kind == .linkingObjects {
          try appendInverse(column, of: source, table, path, binder)
          continue
        }
        // A column of an embedded object is in that of its owner.
        if source.records != nil { levels[levels.count - 1].columns.insert(column.id) }
        steps.append(Step(kind: .column(column), type: column.type, target: table))
        let isFollowed = !isLast && !(column.type.container == .map && path.steps[index + 1].isMapKey)
        if column.type.kind == .link, isFollowed, let table { levels.append(Level(table: table)) }
      }
    }
    guard levels.count - 1 <= Self.mostLinks else {
      throw binder.invalid(
        "A watched path follows too many links.",
        property: path.text,
        details: ["the limit: \(Self.mostLinks)", "the path's: \(levels.count - 1)"]
      )
    }
  }

  private mutating func appendInverse(
    _ column: ColumnEntry,
    of table: Table,
    _ source: Table?,
    _ path: QueryPath,
    _ binder: QueryBinder
  ) throws {
    guard table.records != nil, let source, let origin = column.originProperty,
      let name = binder.names.column(origin, source.name),
      let link = source.links.first(where: { $0.column.name == name })
    else { throw binder.invalid("The type has no link of that name.", property: path.text) }
    steps.append(Step(kind: .inverse(link), type: column.type, target: source))
    levels.append(Level(table: source, columns: ColumnSet(CollectionOfOne(link.column.id)), isOfAll: true))
  }
}

extension QueryPath.Step {
  fileprivate var isMapKey: Bool {
    if case .mapKey = self { return true }
    return false
  }
}
