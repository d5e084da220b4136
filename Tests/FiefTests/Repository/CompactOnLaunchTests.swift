import Fief
import Foundation
import LMDB
import Testing

/// Stores that are compacted before they are opened.
@Suite struct CompactOnLaunchTests {
  final class Blob: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var bytes = Data()
  }

  /// The arguments of the rule's calls, and the events.
  private final class Log: Sendable {
    let asked = OwnedLock<[[Int]]>([])
    let events = OwnedLock<[String]>([])
  }

  private struct Blobs: DatabaseConfigurable {
    var directory: String?
    var storeOptions = StoreOptions()
    var realmMemoryType: RealmMemoryType { .inStorage }
    var schemaName: String? { "blobs" }
    var schemaVersion: UInt64? { 1 }
    var objectTypes: [Object.Type]? { [Blob.self] }
    var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
    var migrationBlock: MigrationBlock? { nil }
  }

  private static let isLinux: Bool = {
    #if os(Linux)
      true
    #else
      false
    #endif
  }()
  private static let mebibyte = 1 << 20
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private var fileSize: Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: directory["blobs/data.mdb"])
    return attributes?[.size] as? Int ?? 0
  }

  /// A closed store of more than 10 MiB, of which less than one is in use.
  private func fill() throws {
    let blobs = Blobs(directory: directory.path)
    for part in 0..<5 {
      try blobs.write { tx in
        for id in 0..<8 {
          let blob = Blob()
          blob.id = part * 8 + id
          blob.bytes = Data(repeating: UInt8(id), count: 1 << 18)
          try tx.add(blob, update: .error)
        }
      }
    }
    try blobs.write { tx in try tx.delete(tx.objects(Blob.self).where { $0.id > 0 }) }
    blobs.closeChecked()
    #expect(fileSize > 10 * Self.mebibyte)
  }

  private func blobs(_ log: Log, _ rule: @escaping @Sendable (Int, Int) -> Bool) -> Blobs {
    var blobs = Blobs(directory: directory.path)
    blobs.storeOptions.shouldCompactOnLaunch = { total, used in
      log.asked.withLock { $0.append([total, used]) }
      return rule(total, used)
    }
    blobs.storeOptions.eventHandler = { event in
      switch event {
      case .compacted(_, let before, let after): log.events.withLock { $0.append("\(before) to \(after)") }
      case .compactionFailed(let store, let error):
        log.events.withLock { $0.append("\(store): \(error.code.rawValue)") }
      default: break
      }
    }
    return blobs
  }

  @Test func aFileThatIsMostlyFreeIsCompactedBeforeItIsOpened() throws {
    try fill()
    let before = fileSize
    let log = Log()
    let blobs = blobs(log) { total, used in total > 5 * (1 << 20) && used * 2 < total }
    #expect(try blobs.count(Blob.self) == 1)
    #expect(fileSize < 2 * Self.mebibyte)
    let asked = log.asked.withLock { $0 }
    #expect(asked.count == 1 && asked.first?.first == before && asked.first?.last ?? 0 < Self.mebibyte)
    #expect(log.events.withLock { $0 } == ["\(before) to \(fileSize)"])
    #expect(blobs.object(ofType: Blob.self, forPrimaryKey: 0)?.bytes.count == 1 << 18)
    blobs.closeChecked()
    // Asked at each opening, and not more often.
    #expect(try blobs.count(Blob.self) == 1)
    #expect(try blobs.count(Blob.self) == 1)
    #expect(log.asked.withLock { $0.count } == 2)
    blobs.closeChecked()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["blobs"])
  }

  @Test func whatTheRuleDoesNotWantStays() throws {
    try fill()
    let before = fileSize
    let log = Log()
    let blobs = blobs(log) { _, _ in false }
    #expect(try blobs.count(Blob.self) == 1)
    #expect(fileSize == before && log.asked.withLock { $0.count } == 1)
    blobs.closeChecked()
    var reader = blobs
    reader.storeOptions.isReadOnly = true
    #expect(try reader.count(Blob.self) == 1)
    #expect(log.asked.withLock { $0.count } == 1)
    reader.close()
  }

  @Test func aStoreThatDoesNotExistIsNotAskedAbout() throws {
    let log = Log()
    let blobs = blobs(log) { _, _ in true }
    #expect(try blobs.count(Blob.self) == 0)
    #expect(log.asked.withLock { $0.isEmpty })
    blobs.closeChecked()
  }

  /// The lock that another process would have on a store that it has open.
  private final class ForeignLock: Sendable {
    private let descriptor: Int32

    init(_ directory: String) {
      descriptor = open(directory + "/lock.mdb", O_RDWR | O_CLOEXEC)
      var range = flock()
      range.l_type = Int16(F_RDLCK)
      range.l_whence = Int16(SEEK_SET)
      range.l_len = 1
      let setLock: Int32 = 37  // F_OFD_SETLK of Linux
      _ = fcntl(descriptor, setLock, &range)
    }

    deinit { close(descriptor) }
  }

  @Test(.enabled(if: Self.isLinux)) func aStoreThatAnotherProcessHasOpenIsNotAskedAbout() throws {
    try fill()
    let before = fileSize
    let lock = ForeignLock(directory["blobs"])
    let log = Log()
    let blobs = blobs(log) { _, _ in true }
    #expect(try blobs.count(Blob.self) == 1)
    #expect(fileSize == before && log.asked.withLock { $0.isEmpty })
    withExtendedLifetime(lock) {}
    blobs.closeChecked()
  }

  @Test(.enabled(if: Self.isLinux)) func whereItFailsTheOldFileIsOpenedAndAnEventSaysWhy() throws {
    try fill()
    let before = fileSize
    let log = Log()
    let path = directory["blobs"]
    let locks = Lock<[ForeignLock]>([])
    // Another process opens the store after the question.
    let blobs = blobs(log) { _, _ in
      locks.withLock { $0.append(ForeignLock(path)) }
      return true
    }
    #expect(try blobs.count(Blob.self) == 1)
    #expect(fileSize == before)
    #expect(log.events.withLock { $0 } == ["blobs: storeInUse"])
    locks.withLock { $0 = [] }
    blobs.closeChecked()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["blobs"])
  }
}
