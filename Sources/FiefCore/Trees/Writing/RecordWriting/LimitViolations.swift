import LMDB

/// The relationships that have too few or too many objects, combined in one error.
package struct LimitViolations {
  package struct Violation {
    let type: String
    package let property: String
    let key: ObjectKey
    /// A description of the violation.
    package let text: String
  }

  /// The maximum number of violations that the error lists.
  static let most = 100

  private let store: String
  private var first: Violation?
  private var lines: [String] = []
  private(set) var count = 0

  init(store: String) { self.store = store }

  mutating func add(_ violation: Violation) {
    if first == nil { first = violation }
    count += 1
    guard lines.count < Self.most else { return }
    lines.append(
      "\(violation.type)\(HiddenValue.place("\(violation.key)")).\(violation.property): \(violation.text)"
    )
  }

  var error: FiefError? {
    guard let first else { return nil }
    return FiefError(
      .validationFailed,
      "Relationships have too few or too many objects for their rules.",
      store: store,
      type: first.type,
      property: first.property,
      key: first.key.description,
      details: count > lines.count ? lines + ["and \(count - lines.count) more"] : lines
    )
  }

  /// Returns the violation if an object has too few or too many objects in a relationship; `nil` if the
  /// number is allowed or the object does not exist.
  package static func find(
    _ limit: TableRules.Relation,
    of table: Table,
    key: UnsafeRawBufferPointer,
    _ tables: StoreTables,
    _ transaction: LMDB.Transaction
  ) throws -> Violation? {
    guard let records = table.records, let record = try transaction.get(records, key) else { return nil }
    let count: Int
    if limit.isStored {
      count = try RecordWriter.count(of: limit.column, in: try table.view(record), table, tables, transaction)
    } else {
      let link = tables.all[limit.other].links[limit.link]
      count = try Backlinks.count(
        of: link,
        to: key,
        upTo: limit.maximum < Int.max ? limit.maximum + 1 : limit.minimum,
        in: transaction
      )
    }
    guard let text = limit.violation(count) else { return nil }
    return Violation(
      type: table.name,
      property: limit.column.name,
      key: ObjectKey(bytes: table.shown([UInt8](key))),
      text: text
    )
  }
}

extension TableRules.Relation {
  /// Returns a description of the violation if the number of objects is not allowed; `nil` if it is allowed.
  fileprivate func violation(_ count: Int) -> String? {
    if count == 0, !isRequired { return nil }
    if count < minimum {
      if column.type.isToOne { return "required, but nil" }
      return "\(Self.objects(count)), \(isRequired ? "" : "none or ")at least \(minimum)"
    }
    guard count > maximum else { return nil }
    // The objects of an inverse are counted only until the maximum is exceeded.
    return column.type.kind == .linkingObjects
      ? "more than \(Self.objects(maximum))" : "\(Self.objects(count)), at most \(maximum)"
  }

  private static func objects(_ count: Int) -> String { count == 1 ? "1 object" : "\(count) objects" }
}
