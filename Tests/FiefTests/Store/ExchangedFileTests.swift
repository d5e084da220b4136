import Fief
import FiefStress
import Foundation
import LMDB
import Testing

@testable import FiefCore

/// Stores whose files are exchanged or deleted while others have them open, in this process and in others.
@Suite struct ExchangedFileTests {
  private let directory: TemporaryDirectory
  private let repository: StressJointRepository
  private var place: String { directory["first"] }

  init() throws {
    directory = try TemporaryDirectory()
    repository = StressJointRepository("first", directory: directory.path)
    try repository.write { transaction in
      for id in 1...20 { try transaction.create(StressAccount.self, value: ["id": id, "balance": id]) }
    }
  }

  private func add(_ id: Int) throws {
    try repository.write { try $0.create(StressAccount.self, value: ["id": id, "balance": 0]) }
  }

  private func keys() throws -> Set<Int> {
    Set(try repository.store().objects(StressAccount.self).all().map(\.id))
  }

  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()) ?? []
  }

  @Test func nothingIsLostWhereOneProcessCompactsAndTwoComeAndGo() throws {
    repository.close()
    let compacting = try CrashChild("compact-loop", directory.path, "900")
    let others = try (1...2).map { try CrashChild("come-and-go", directory.path, "\($0)", "900") }
    var saved = Set(1...20)
    for child in others {
      let (lines, end) = child.finish()
      #expect(end == .exited(0) && lines.filter { $0.hasPrefix("error") } == [])
      saved.formUnion(lines.compactMap { $0.hasPrefix("saved ") ? Int($0.dropFirst(6)) : nil })
    }
    let (lines, end) = compacting.finish()
    #expect(end == .exited(0) && lines.filter { $0.hasPrefix("error") } == [])
    #expect(saved.count > 20)
    #expect(try keys() == saved)
    #expect(files == ["first"])
    repository.closeChecked()
  }

  @Test func anotherProcessKeepsAStoreFromBeingDeleted() throws {
    repository.close()
    let child = try CrashChild("hold", directory.path)
    child.wait(for: "open")
    #expect(code(failure { try repository.deleteStore() }) == .storeInUse)
    #expect(code(failure { try repository.compact() }) == .storeInUse)
    repository.close()
    var later = repository
    later.storeOptions.deletesIfMigrationNeeded = true
    let changed = ChangedFirst(directory: directory.path, storeOptions: later.storeOptions)
    #expect(changed.store().openingError?.code == .storeInUse)
    #expect(try keys() == Set(1...20))
    repository.closeChecked()
    _ = try child.kill(microseconds: 0, after: "open")
    #expect(changed.store().openingError == nil)
    #expect(try changed.count(ChangedFirst.Coin.self) == 0)
    try changed.deleteStore()
    #expect(files == [])
  }

  @Test func anotherHandleOfThisProcessKeepsAStoreFromBeingDeletedAndSharesACompactedFile() throws {
    let dynamic = try DynamicStore(directory: place, isReadOnly: false)
    try repository.compact()
    try dynamic.write { _ = try $0.put("StressAccount", ["id": 30, "balance": 1]) }
    try add(31)
    #expect(try keys() == Set(1...20).union([30, 31]))
    #expect(try dynamic.count(of: "StressAccount") == 22)
    #expect(code(failure { try repository.deleteStore() }) == .storeInUse)
    try dynamic.write { _ = try $0.put("StressAccount", ["id": 32, "balance": 1]) }
    dynamic.close()
    #expect(try keys() == Set(1...20).union(30...32))
    repository.closeChecked()
  }

  @Test func aDirectoryInTwoSpellingsIsOneStore() throws {
    try FileManager.default.createSymbolicLink(atPath: directory["link"], withDestinationPath: directory.path)
    defer { try? FileManager.default.removeItem(atPath: directory["link"]) }
    let other = StressJointRepository("first", directory: directory["link"])
    #expect(try other.count(StressAccount.self) == 20)
    try repository.compact()
    try add(30)
    try other.write { try $0.create(StressAccount.self, value: ["id": 31, "balance": 0]) }
    #expect(try keys() == Set(1...20).union([30, 31]))
    #expect(code(failure { try repository.deleteStore() }) == .storeInUse)
    #expect(try other.count(StressAccount.self) == 22)
    other.close()
    #expect(try keys().count == 22)
    repository.closeChecked()
  }

  @Test func insideOfAReadNothingIsExchangedOrDeleted() throws {
    try repository.store().read { _ in
      #expect(code(failure { try repository.compact() }) == .storeInUse)
      #expect(code(failure { try repository.deleteStore() }) == .storeInUse)
    }
    try add(21)
    #expect(try keys() == Set(1...21))
    repository.closeChecked()
    #expect(try keys() == Set(1...21))
    repository.closeChecked()
  }

  @Test func aHandlerMayCompactAndObserversGoOn() throws {
    let calls = Lock<[String]>([])
    let token = repository.store().objects(StressAccount.self).observe { change in
      switch change {
      case .initial(let rows): calls.withLock { $0.append("initial \(rows.count)") }
      case .update(let rows, _, let insertions, _):
        calls.withLock { $0.append("\(insertions.count) of \(rows.count)") }
        guard rows.count == 21 else { return }
        do { try repository.compact() } catch { calls.withLock { $0.append("\(error)") } }
      case .error(let error): calls.withLock { $0.append("\(error)") }
      }
    }
    try repository.store().waitUntilDelivered()
    try add(21)
    try repository.store().waitUntilDelivered()
    try add(22)
    try repository.store().waitUntilDelivered()
    #expect(calls.withLock { $0 } == ["initial 20", "1 of 21", "1 of 22"])
    token.invalidate()
    #expect(try keys() == Set(1...22))
    repository.closeChecked()
  }

  @Test func aStoreCalledLikeATemporaryCopyIsLeftAlone() throws {
    let other = StressJointRepository("first.compact", directory: directory.path)
    try other.write { try $0.create(StressAccount.self, value: ["id": 7, "balance": 7]) }
    other.close()
    try repository.compact()
    #expect(try other.count(StressAccount.self) == 1)
    #expect(files == ["first", "first.compact"])
    other.closeChecked()
    repository.closeChecked()
  }

  @Test func theCopyOfAKilledCompactionGoesWithTheNextOpening() throws {
    repository.close()
    let left = ScratchDirectory.path(beside: place)
    try FileManager.default.copyItem(atPath: place, toPath: left)
    #expect(files == [".temporary-first", "first"])
    #expect(try keys().count == 20)
    #expect(files == ["first"])
    repository.closeChecked()
  }

  @Test func aManifestWithoutACatalogueIsDamage() throws {
    repository.close()
    let empty = try LMDB.Environment.open(directory: directory["empty"], options: EnvironmentOptions())
    empty.close()
    try FileManager.default.removeItem(atPath: place + "/data.mdb")
    try FileManager.default.moveItem(atPath: directory["empty/data.mdb"], toPath: place + "/data.mdb")
    #expect(repository.store().openingError?.code == .damagedStore)
    // A directory without a manifest shows no trace of a store.
    try FileManager.default.removeItem(atPath: place + "/store.manifest")
    #expect(try repository.count(StressAccount.self) == 0)
    repository.closeChecked()
  }
}

/// The same store with another class, for which it would have to be migrated.
private struct ChangedFirst: DatabaseConfigurable {
  final class Coin: Object {
    @Persisted(primaryKey: true) var id = 0
  }

  var directory: String?
  var storeOptions = StoreOptions()
  var realmMemoryType: RealmMemoryType { .inStorage }
  var schemaName: String? { "first" }
  var schemaVersion: UInt64? { 2 }
  var objectTypes: [Object.Type]? { [Coin.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}
