/// One of the conditions that must all hold, and its subject.
struct QueryConjunct {
  /// The common subject of all parts of a condition.
  enum Subject: Equatable {
    /// No subject: the condition is constant.
    case nothing
    case column(UInt16)
    /// The object itself, that is, its key.
    case object
    /// Several subjects, or a subject that is in no tree.
    case other
  }

  let condition: QueryCondition
  let subject: Subject
}

extension QueryBinder {
  /// Returns the subject of a condition.
  func subject(of condition: QueryCondition) throws -> QueryConjunct.Subject {
    switch condition {
    case .constant: return .nothing
    case .not(let condition): return try subject(of: condition)
    case .all(let conditions), .any(let conditions):
      var result = QueryConjunct.Subject.nothing
      for condition in conditions {
        let next = try subject(of: condition)
        if result == .nothing { result = next } else if next != .nothing, next != result { return .other }
      }
      return result
    case .comparison(.path(let path), _, .value, _), .comparison(.value, _, .path(let path), _),
      .oneOf(.path(let path), _, _):
      return try subject(of: path)
    case .quantified(.any, let collection, .comparison(.path(.element), .equal, .value(.object), _)):
      guard collection.part == .values else { return .other }
      let subject = try subject(of: collection.path)
      return subject == .object ? .other : subject
    default: return .other
    }
  }

  private func subject(of path: QueryPath) throws -> QueryConjunct.Subject {
    if path == .element { return .object }
    guard let column = try column(path) else { return .other }
    return column.type.kind == .linkingObjects || column.type.kind == .embedded ? .other : .column(column.id)
  }
}
