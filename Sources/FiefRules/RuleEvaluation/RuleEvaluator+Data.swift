/// Reading data.
extension RuleEvaluator {
  /// Returns the place of an expression.
  mutating func find(_ expression: RuleExpression.DataExpression) throws -> any RuleData {
    var found: any RuleData
    switch expression.variable {
    case .root: found = operation.root
    case .data: found = place.data
    case .newData:
      guard let newData = place.newData else { throw RuleFailure("A read has no 'newData'.") }
      found = newData
    }
    for step in expression.steps {
      try spend()
      switch step {
      case .parent:
        guard let parent = found.parent else { throw RuleFailure("The root has no parent.") }
        found = parent
      case .child(let path): found = try child(of: found, path)
      }
    }
    return found
  }

  private mutating func child(of place: any RuleData, _ path: RuleExpression.PathExpression) throws
    -> any RuleData
  {
    switch path {
    case .names(let names):
      try spend()
      return names.reduce(place) { $0.child($1) }
    case .text(let expression):
      let path = try text(expression)
      try spend(path.utf8.count / 1024)
      guard let names = PlaceName.names(ofComputed: path) else { throw RuleFailure("A path is invalid.") }
      return names.reduce(place) { $0.child($1) }
    }
  }

  private mutating func read(_ place: any RuleData) throws -> RuleValue {
    let value = try place.value()
    try spend(value.steps)
    return value
  }

  private mutating func exists(_ place: any RuleData) throws -> Bool {
    if case .null = try read(place) { false } else { true }
  }

  mutating func call(_ method: RuleExpression.DataMethod, on place: any RuleData) throws -> RuleValue {
    switch method {
    case .value: return try read(place)
    case .exists: return .bool(try exists(place))
    case .isString: if case .string = try read(place) { return .bool(true) } else { return .bool(false) }
    case .isNumber:
      switch try read(place) {
      case .int, .double: return .bool(true)
      default: return .bool(false)
      }
    case .isBoolean: if case .bool = try read(place) { return .bool(true) } else { return .bool(false) }
    case .priority: return .null
    case .hasChild(let path): return .bool(try exists(try child(of: place, path)))
    case .hasChildren(let paths):
      if paths.isEmpty {
        if case .node = try read(place) { return .bool(true) } else { return .bool(false) }
      }
      for path in paths where try !exists(try child(of: place, path)) { return .bool(false) }
      return .bool(true)
    }
  }
}
