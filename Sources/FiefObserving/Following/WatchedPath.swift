import FiefCore

/// A path whose value is watched, resolved to the columns of a store. It can lead through links, inverses,
/// embedded objects and collections of these.
struct WatchedPath: Sendable {
  /// The maximum number of links in a watched path. Each link multiplies the objects to be read.
  static let mostLinks = 4

  struct Step: Sendable {
    enum Kind: Sendable {
      /// A column of the object or embedded object at this point of the path.
      case column(ColumnEntry)
      /// The objects that link to the object at this point of the path.
      case inverse(Table.LinkColumn)
      /// The value of a key in the map at this point of the path.
      case mapKey([UInt8])
    }

    let kind: Kind
    /// The type of the value after the step.
    let type: ColumnType
    /// The object's type, or the element type of a collection.
    let target: Table?
  }

  /// The objects on the path that are reached after the same number of links. They have the same type.
  struct Level: Sendable {
    let table: Table
    /// The columns of these objects that the path reads.
    var columns = ColumnSet()
    /// Whether all objects of the type matter, because changing any of them may put it on the path.
    var isOfAll = false
  }

  private(set) var steps: [Step] = []
  /// The levels of the path, starting with the level of the object itself.
  private(set) var levels: [Level]
  /// The object's property that is reported if the value at the end of the path changes.
  let first: ColumnEntry

  /// Whether the path consists of one stored property of the object itself.
  var isColumn: Bool { steps.count == 1 && first.type.isStored }

  /// - Throws: ``FiefError`` of code `unknownProperty` or `invalidQuery`.
  init(_ path: QueryPath, _ binder: QueryBinder) throws {
    guard path.scope == 0, case .property(let name)? = path.steps.first else {
      throw binder.invalid("A watched path must begin with a property of the object.", property: path.text)
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
        throw binder.invalid("A part of a value of any type cannot be watched.", property: path.text)
      case .property(let name):
        guard let source = table else {
          throw binder.invalid("Only objects have properties.", property: path.text)
        }
        let column = try binder.column(named: name, of: source)
        table = column.type.target.flatMap { binder.tables[$0] }
        if column.type.kind == .linkingObjects {
          try appendInverse(column, of: source, table, path, binder)
          continue
        }
        // A property of an embedded object counts as the column of its owner.
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
    else { throw binder.invalid("The type has no link with that name.", property: path.text) }
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
