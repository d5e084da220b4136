import FiefCore
import LMDB

/// The checks of types that a product manages. A check of a store runs them if the process contains the
/// product.
package enum ManagedChecks {
  /// Checks the records of a managed type, beyond what holds for every type.
  package struct Check: Sendable {
    let problems: @Sendable (StoreTables, LMDB.Transaction) throws -> [String]

    /// - Parameter problems: returns a line for each problem.
    package init(_ problems: @escaping @Sendable (StoreTables, LMDB.Transaction) throws -> [String]) {
      self.problems = problems
    }
  }

  private static let checks = Lock<[String: Check]>([:])

  /// Adds the check of a type, in place of an earlier one.
  package static func add(_ check: Check, ofType name: String) { checks.withLock { $0[name] = check } }

  /// Returns the problems of a managed type.
  static func problems(of table: Table, _ tables: StoreTables, _ transaction: LMDB.Transaction) throws
    -> [String]
  {
    guard table.isManaged, let check = checks.withLock({ $0[table.name] }) else { return [] }
    return try check.problems(tables, transaction)
  }
}
