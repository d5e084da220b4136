extension QueryBinding {
  /// The end of a resolved path: an operand and its type.
  struct BoundPath {
    var operand: RowOperand
    var type: ColumnType
    /// The table of the object at the end, if the path ends at an object.
    var table: Table?
    /// The column at the end and its table, or `nil` for an element of a collection or a value in a map.
    var column: (entry: ColumnEntry, table: Table)?
  }

  /// Binds a path that leads to a single value.
  func value(_ path: QueryPath) throws -> RowOperand {
    let bound = try resolve(path)
    guard bound.type.container == .none, bound.type.isStored else {
      throw binder.invalid(
        "A collection is not a single value.",
        property: path.text,
        details: ["use its count, an aggregate, or the quantifier any, all or none"]
      )
    }
    return bound.operand
  }

  func resolve(_ path: QueryPath) throws -> BoundPath {
    let depth = depth - path.scope
    guard depth >= 0, path.scope >= 0 else {
      throw binder.invalid("A path begins outside the query.", property: path.text)
    }
    let scope = scopes[depth]
    var bound = BoundPath(
      operand: at(depth, scope.table.map { SelfOperand($0) } ?? ElementOperand(depth, scope.type)),
      type: scope.type,
      table: scope.table
    )
    var source: FollowSource?
    for (index, step) in path.steps.enumerated() {
      if index > 0 {
        let name = SourceName(from: self.depth, depth: depth, steps: Array(path.steps[..<index]))
        source = try follow(bound, name, path, isNeeded: isFollowed(by: step, bound.type))
      }
      bound = try take(step, from: bound, source, depth, path)
    }
    return bound
  }

  /// Whether a step continues at another object, rather than at a part of a value.
  private func isFollowed(by step: QueryPath.Step, _ type: ColumnType) -> Bool {
    if case .property = step { return type.container != .map }
    return type.container != .map && type.kind != .any
  }

  /// Wraps an operand so that it is evaluated on the row of a scope.
  private func at(_ depth: Int, _ operand: RowOperand) -> RowOperand {
    depth == self.depth || operand is ElementOperand ? operand : OuterOperand(operand, depth: depth)
  }

  private func take(
    _ step: QueryPath.Step,
    from bound: BoundPath,
    _ source: FollowSource?,
    _ depth: Int,
    _ path: QueryPath
  ) throws -> BoundPath {
    switch step {
    case .property(let name):
      guard let table = bound.table, bound.type.container == .none else {
        throw binder.invalid("Only objects have properties.", property: path.text)
      }
      let entry = try binder.column(named: name, of: table)
      let target = entry.type.target.flatMap { binder.tables[$0] }
      let column = ColumnOperand(RowColumn(entry, of: table, target: target))
      return BoundPath(
        operand: source.map { FollowedOperand($0, column) } ?? at(depth, column),
        type: entry.type,
        table: target,
        column: (entry, table)
      )
    case .mapKey(let key):
      if bound.type.isAnyValue { return part(.key(StableBytes(key.utf8)), of: bound) }
      guard bound.type.container == .map else {
        throw binder.invalid("Only a map has keys.", property: path.text)
      }
      var element = bound.type
      element.container = .none
      return BoundPath(
        operand: MapValueOperand(bound.operand, bound.type, key: key, target: bound.table?.entry.id ?? 0),
        type: element,
        table: bound.table
      )
    case .index(let index):
      guard bound.type.isAnyValue else {
        throw binder.invalid(
          "Only a list in a value of any type can be indexed.",
          property: path.text,
          details: ["use the quantifier any, all or none on the collection"]
        )
      }
      guard index >= -1 else {
        throw binder.invalid(
          "The index of a list is invalid.",
          property: path.text,
          details: ["found: \(index)", "expected: 0 or more, or -1 for the last one"]
        )
      }
      return part(.index(index), of: bound)
    }
  }

  private func part(_ place: NestedPartOperand.Place, of bound: BoundPath) -> BoundPath {
    BoundPath(operand: NestedPartOperand(bound.operand, place), type: ColumnType(.any), table: nil)
  }

  /// Returns the source that leads to the last object of a path.
  private func follow(
    _ bound: BoundPath,
    _ name: SourceName,
    _ path: QueryPath,
    isNeeded: Bool
  ) throws -> FollowSource? {
    guard isNeeded else { return nil }
    guard bound.type.container == .none, bound.type.isStored else {
      throw binder.invalid(
        "A path leads through a collection.",
        property: path.text,
        details: ["use the quantifier any, all or none"]
      )
    }
    guard let table = bound.table else {
      throw binder.invalid("Only objects have properties.", property: path.text)
    }
    if let known = sources[name] { return known }
    let source = FollowSource(bound.operand, table)
    sources[name] = source
    return source
  }
}
