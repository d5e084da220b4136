import Fief
import Testing

@testable import FiefCore

extension DatabaseConfigurable {
  /// Runs the checker over the store, then closes it: how a test that does not damage its store ends.
  ///
  /// - Parameter hasOldRecords: whether the store has records of an earlier format.
  func closeChecked(hasOldRecords: Bool = false, sourceLocation: SourceLocation = #_sourceLocation) {
    expectWhole(store(), hasOldRecords: hasOldRecords, sourceLocation)
    close()
  }
}

/// Expects the checker to find nothing in an open store, and each record to have a checksum that covers its key.
func expectWhole(
  _ store: Store,
  hasOldRecords: Bool = false,
  _ sourceLocation: SourceLocation = #_sourceLocation
) {
  do {
    let core = try store.core()
    if !hasOldRecords, core.tables.coversKeys {
      #expect(try typesWithUncoveredKeys(core) == [], sourceLocation: sourceLocation)
    }
    let check = try core.read { try StoreChecker(tables: core.tables, transaction: $0).run() }
    #expect(check.problems == [], sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}

/// The types with records whose checksums do not cover their keys, as those that a write has not stored by `RecordWriter.store`.
private func typesWithUncoveredKeys(_ core: StoreCore) throws -> Set<String> {
  try core.read { transaction in
    var types: Set<String> = []
    for table in core.tables.all {
      guard let records = table.records else { continue }
      let cursor = try transaction.cursor(records)
      while try cursor.next() {
        let difference = try table.view(cursor.value).checksumDifference
        if difference != RecordChecksum.ofKey(cursor.key, type: table.entry.id) { types.insert(table.name) }
      }
    }
    return types
  }
}
