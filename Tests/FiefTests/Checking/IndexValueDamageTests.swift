import Fief
import Foundation
import Testing

@testable import FiefCore

/// Entries of indexes have no checksum. A least or greatest value of an index is that of its object, whose record has one, or an error.
struct IndexValueDamageTests {
  private static let least = 0x0102_0304_0506_0708
  private static let greatest = 0x1112_1314_1516_1718

  private let directory: TemporaryDirectory
  private var repository: WeighedRepository { WeighedRepository(directory: directory.path) }

  init() throws {
    directory = try TemporaryDirectory()
    let repository = repository
    let weights = [Self.least, Self.greatest] + (0..<500).map { 0x0F00_0000_0000_0000 + $0 }
    try repository.store().write { transaction in
      for (id, weight) in weights.enumerated() {
        try transaction.add(WeighedItem(value: ["id": id, "weight": weight]))
      }
    }
    repository.closeChecked()
  }

  /// Flips a bit of a weight in its entry, which has it in the order of a key, and leaves the order of the entries as it is.
  private func flip(_ weight: Int) throws {
    let bytes = withUnsafeBytes(of: weight.bigEndian) { Data($0) }
    try FileDamage.flip(4, at: 2, of: bytes, in: directory["weighed/data.mdb"])
  }

  @Test(arguments: [false, true]) func isAnError(isGreatest: Bool) throws {
    try flip(isGreatest ? Self.greatest : Self.least)
    let repository = repository
    let items = try repository.objects(WeighedItem.self)
    #expect(try items.explain(isGreatest ? .max("weight") : .min("weight")).isIndexOnly)
    let error = #expect(throws: FiefError.self) {
      _ = try isGreatest ? items.fetchMax(of: \.weight) : items.fetchMin(of: \.weight)
    }
    #expect(error?.code == .damagedRecord && error?.store == "weighed")
    #expect(error?.type == "WeighedItem" && error?.property == "weight")
    // The other one is whole.
    if isGreatest {
      #expect(try items.fetchMin(of: \.weight) == Self.least)
    } else {
      #expect(try items.fetchMax(of: \.weight) == Self.greatest)
    }
    #expect(try repository.check().problems != [])
    repository.close()
  }
}

private final class WeighedItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var weight = 0
}

private struct WeighedRepository: DatabaseConfigurable, Sendable {
  let realmMemoryType = RealmMemoryType.inStorage
  let schemaName: String? = "weighed"
  let schemaVersion: UInt64? = 1
  var directory: String?
  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.eventOutput = .silent
    return options
  }
  var objectTypes: [Object.Type]? { [WeighedItem.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}
