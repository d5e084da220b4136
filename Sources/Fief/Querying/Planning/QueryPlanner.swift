import LMDB

/// Chooses how the rows of a query are reached.
struct QueryPlanner {
  let binder: QueryBinder
  let transaction: LMDB.Transaction

  func plan(_ description: QueryDescription) throws -> QueryAccess { QueryAccess() }
}
