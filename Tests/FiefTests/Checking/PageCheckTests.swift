import Fief
import Foundation
import Testing

/// Damage to pages that no look-up comes across: wrong counts of a tree, and a free page that is in use.
@Suite(.timeLimit(.minutes(20))) struct PageCheckTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let repository = Self.repository(directory, wholeBytes: 16 << 20)
    try repository.store().write { transaction in
      for number in 0..<2000 { try transaction.add(CheckedItem(value: ["number": number])) }
    }
    try repository.store().write { transaction in
      for number in 500..<1500 {
        if let item = try transaction.object(ofType: CheckedItem.self, forPrimaryKey: number) {
          try transaction.delete(item)
        }
      }
    }
    repository.closeChecked()
  }

  private static func repository(_ directory: TemporaryDirectory, wholeBytes: Int) -> CheckedRepository {
    var repository = CheckedRepository(directory: directory.path)
    repository.storeOptions.wholeVerificationBytes = wholeBytes
    repository.storeOptions.reservedBytes = 0
    return repository
  }

  private func change(_ body: (inout PageFile) throws -> Void) throws {
    let url = URL(fileURLWithPath: directory["checked/data.mdb"])
    var file = PageFile(bytes: [UInt8](try Data(contentsOf: url)))
    try body(&file)
    try Data(file.bytes).write(to: url)
    #expect(chmod(url.path, 0o600) == 0)
  }

  private func opening(wholeBytes: Int) -> FiefError.Code? {
    let repository = Self.repository(directory, wholeBytes: wholeBytes)
    defer { repository.close() }
    return repository.store().openingError?.code
  }

  @Test func aWholeStoreIsWholeInBothWays() throws {
    for wholeBytes in [16 << 20, 0] {
      #expect(opening(wholeBytes: wholeBytes) == nil)
      let repository = Self.repository(directory, wholeBytes: wholeBytes)
      try repository.store().write { try $0.add(CheckedItem(value: ["number": 9000 + wholeBytes])) }
      repository.closeChecked()
    }
  }

  private func code(_ body: () throws -> Void) -> FiefError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? FiefError)?.code }
  }

  private func write(_ repository: CheckedRepository) throws {
    try repository.store().write { try $0.add(CheckedItem(value: ["number": 7000])) }
  }

  /// The first count of a small store checks all its pages, and so does its first write.
  @Test(arguments: [16 << 20, 0]) func wrongCountsOfATreeAreFound(wholeBytes: Int) throws {
    try change { try $0.changeCount(ofTree: "index:") }
    #expect(opening(wholeBytes: wholeBytes) == nil)
    let (repository, isSmall) = (Self.repository(directory, wholeBytes: wholeBytes), wholeBytes > 0)
    #expect(repository.object(ofType: CheckedItem.self, forPrimaryKey: 1)?.name == "some name")
    #expect(code { _ = try repository.count(CheckedItem.self) } == (isSmall ? .damagedStore : nil))
    if isSmall {
      #expect(code { try write(repository) } == .damagedStore)
      var error: FiefError?
      _ = code {
        try repository.read { scope in
          error = #expect(throws: FiefError.self) { try scope.count(CheckedItem.self) }
        }
      }
      #expect(error?.code == .damagedStore && error?.type == "CheckedItem")
    }
    #expect(try repository.check().problems.contains { $0.contains("pages are damaged") })
    repository.close()
  }

  @Test func wrongCountsAreFoundByTheFirstWrite() throws {
    try change { try $0.changeCount(ofTree: "index:") }
    let repository = Self.repository(directory, wholeBytes: 16 << 20)
    #expect(code { try write(repository) } == .damagedStore)
    // A query makes its plan by the counts, and has the objects from the pages.
    #expect(try repository.objects(CheckedItem.self).filter("name = 'some name'").all().count == 1000)
    repository.close()
  }

  /// A write would put other contents into a page that is in use.
  @Test func aFreePageThatIsInUseIsNotWrittenTo() throws {
    try change { try $0.freePageInUse() }
    #expect(opening(wholeBytes: 16 << 20) == .damagedStore)
    #expect(opening(wholeBytes: 0) == nil)
    let repository = Self.repository(directory, wholeBytes: 0)
    #expect(code { try write(repository) } == .damagedStore)
    #expect(try repository.objects(CheckedItem.self).all().count == 1000)
    #expect(try repository.check().problems.contains { $0.contains("used twice") })
    #expect(code { try write(repository) } == .damagedStore)
    repository.close()
  }
}

/// The pages of a data file that is not open.
private struct PageFile {
  struct Unexpected: Error {}

  var bytes: [UInt8]

  private func word(_ place: Int) -> Int {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Int.self) }
  }

  private func half(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }

  private mutating func set(_ place: Int, _ value: Int) {
    withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(place..<place + 8, with: $0) }
  }

  private var meta: Int { word(144) > word(4096 + 144) ? 0 : 4096 }

  /// The offsets of the nodes of a leaf.
  private func nodes(_ page: Int) throws -> [Int] {
    let start = page * 4096
    guard half(start + 10) == 2 else { throw Unexpected() }
    return (0..<(half(start + 12) - 16) / 2).map { start + half(start + 16 + 2 * $0) }
  }

  /// Adds one to the number of entries of a tree.
  mutating func changeCount(ofTree prefix: String) throws {
    for node in try nodes(word(meta + 128)) {
      let name = bytes[node + 8..<node + 8 + half(node + 6)]
      guard name.starts(with: prefix.utf8) else { continue }
      let place = node + 8 + name.count + 32
      return set(place, word(place) + 1)
    }
    throw Unexpected()
  }

  /// Has the free list name a page in use in place of one that is free.
  mutating func freePageInUse() throws {
    let lists = try nodes(word(meta + 80)).map { $0 + 16 }
    var free = Set<Int>()
    for list in lists { for index in 1...max(word(list), 1) { free.insert(word(list + 8 * index)) } }
    for list in lists {
      for index in 1...max(word(list), 1) where index <= word(list) {
        let above = index == 1 ? word(meta + 136) + 1 : word(list + 8 * (index - 1))
        let below = index == word(list) ? 1 : word(list + 8 * (index + 1))
        for page in (below + 1..<max(above, below + 1)).reversed() {
          // A leaf of any tree; those of the main tree and of the free list are walked anyhow.
          guard !free.contains(page), page * 4096 < bytes.count, half(page * 4096 + 10) == 2,
            page != word(meta + 80), page != word(meta + 128)
          else { continue }
          return set(list + 8 * index, page)
        }
      }
    }
    throw Unexpected()
  }
}

private final class CheckedItem: Object {
  @Persisted(primaryKey: true) var number = 0
  @Persisted(indexed: true) var name = "some name"
}

private struct CheckedRepository: DatabaseConfigurable, Sendable {
  let realmMemoryType = RealmMemoryType.inStorage
  let schemaName: String? = "checked"
  let schemaVersion: UInt64? = 1
  var directory: String?
  var storeOptions = StoreOptions()
  var objectTypes: [Object.Type]? { [CheckedItem.self] }
  var embeddedObjectTypes: [EmbeddedObject.Type]? { [] }
  var migrationBlock: MigrationBlock? { nil }
}
