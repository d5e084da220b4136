import LMDB

/// What a follower of rows has bound to the tables of a store.
final class BoundRows {
  let tables: StoreTables
  let table: Table
  let binder: QueryBinder
  let description: QueryDescription
  let dependencies: QueryDependencies
  let watched: WatchedValues?
  let interest: ObservationInterest
  var stamps: RowStamps

  /// - Throws: ``FiefError`` for what the query cannot do, and for ways that cannot be watched.
  init(
    _ description: QueryDescription,
    of typeName: String,
    _ names: QueryNames,
    watched paths: [QueryPath]?,
    _ tables: StoreTables
  ) throws {
    guard let table = tables[typeName] else {
      throw FiefError(
        .unknownType,
        "The store has no such type.",
        store: tables.storeName,
        type: typeName
      )
    }
    self.tables = tables
    self.table = table
    self.description = description
    binder = QueryBinder(tables: tables, table: table, names: names)
    dependencies = try QueryDependencies(description, binder)
    watched = try paths.map { [binder] in try WatchedValues($0, binder) }
    stamps = RowStamps(of: table, watched: watched)
    interest = Self.interest(table, description, dependencies, watched)
  }

  private static func interest(
    _ table: Table,
    _ description: QueryDescription,
    _ dependencies: QueryDependencies,
    _ watched: WatchedValues?
  ) -> ObservationInterest {
    var columns = dependencies.columns
    for (type, others) in watched?.columns ?? [:] { columns[type, default: ColumnSet()].formUnion(others) }
    var interest = ObservationInterest()
    for (type, ids) in columns { interest.types.updateValue(ids.isAll ? nil : ids, forKey: type) }
    if watched == nil { interest.types.updateValue(nil, forKey: table.name) }
    if let members = description.members { interest.insert(members) }
    return interest
  }

  /// Looks the rows up.
  ///
  /// - Parameter former: rows that they are likely to begin with.
  func run(like former: ObservedRows, in environment: QueryEnvironment, memory: Int) throws -> ObservedRows {
    let query = try PreparedQuery(
      description,
      binder: binder,
      transaction: environment.transaction,
      memory: memory
    )
    var builder = ObservedRowsBuilder(like: former)
    try RowStream(query).read(in: environment) { row in
      builder.append(row.key, stamp: try stamps.stamp(of: row, in: environment))
      return true
    }
    return builder.finish()
  }
}

extension ObservationInterest {
  /// Adds the object that has a collection.
  mutating func insert(_ members: QueryMembers) {
    // The column is asked for by the whole object: which one it is the schema says, where it is bound.
    objects[members.type, default: [:]].updateValue(nil, forKey: members.key)
  }
}
