import Fief
import FiefTorture
import FiefTree
import Foundation

/// A process that fills the disk of a store and frees it again, and does on the full disk, and on one with a little room, all that an
/// application does.
///
/// It prints `cycle N` before each, `wrong …` for what must not be, `count NAME` for what it did, and `end`.
struct FillProcess {
  private let directory: String
  private var random: TortureRandom
  /// The acknowledged items: the number of bytes of each.
  private var stored: [Int: Int] = [:]
  private var nextID = 0
  /// The number of the last acknowledged message in the tree, or 0 before the first one.
  private var message = 0
  private static let fanOut = FanOut(count: 100, group: 0)
  /// The number of the last acknowledged import into the tree, or 0 before the first one.
  private var imported = 0
  private var version: UInt64 = 1

  private var repository: TortureRepository {
    var repository = TortureRepository("first", in: directory, version: version)
    repository.storeOptions.maximumSortBytes = 4_096
    return repository
  }

  static func run(_ arguments: Arguments) throws {
    var process = FillProcess(
      directory: arguments.rest.first ?? "",
      random: TortureRandom(seed: arguments.number("seed") ?? 0)
    )
    for cycle in 0..<(arguments.number("cycles") ?? 1) {
      say("cycle \(cycle)")
      try process.cycle(cycle)
    }
    process.repository.close()
    say("end")
  }

  private mutating func cycle(_ number: Int) throws {
    // A store of the new version is used for a cycle, and then another one is migrated.
    let isNew = version == 2
    fanOut()
    try Data(Self.value(imported + 1).text().utf8).write(to: URL(filePath: importedFile))
    try takeRoom(number)
    try fill(bytes: 20_000..<200_000)
    try fill(bytes: 2_000..<8_000)
    for _ in 0..<10 { fanOut() }
    importFile()
    verify("full")
    sort("sort")
    try compact("compaction")
    migrate("migration")
    takeBack()
    deleteHalf()
    verify("after the deletion")
    // A deletion makes room for the next save.
    let before = stored.count
    try fill(bytes: 100..<1_000, atMost: 3)
    if stored.count == before { say("wrong nothing can be saved after half of the items were deleted") }
    try giveRoomBack()
    let isCompacted = try useRoom()
    if isNew || !isCompacted { try makeAgain() }
  }

  /// Does once more what was tried on the full disk, and then deletes until there is room for a copy.
  /// - Returns: whether the store was compacted. It cannot be where a migration has taken the room for its file.
  private mutating func useRoom() throws -> Bool {
    sort("sort with some room")
    verify("after a sort with some room")
    var isCompacted = try compact("compaction with some room")
    migrate("migration with some room")
    for _ in 0..<10 where !isCompacted {
      deleteHalf()
      isCompacted = try compact("compaction after more deletions")
    }
    if isCompacted { migrate("migration after a compaction") }
    return isCompacted
  }

  // MARK: Room

  private var ballast: String { directory + "-ballast" }

  /// Takes a part of the disk, between a tenth and a half, before the store fills the rest. Four cycles after each other take parts of
  /// all sizes, so that in each of them something has too little room in the end, and something enough.
  private mutating func takeRoom(_ number: Int) throws {
    // Stores of both versions get parts of all sizes.
    let quarter = (number + number / 4) % 4
    let thousandths = 100 + (quarter * 1_000 + random.next(1_000)) / 10
    let (free, all) = try room()
    // A migration has made the file of the store larger.
    let size = min(all / 1_000 * thousandths, free - 2 << 20)
    let file = open(ballast, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    guard file >= 0, size <= 0 || posix_fallocate(file, 0, size) == 0 else {
      throw BrokenTest("\(ballast) cannot be made")
    }
  }

  /// The bytes of the disk that are free, and all of them.
  private func room() throws -> (free: Int, all: Int) {
    let place = open(directory, O_RDONLY | O_CLOEXEC)
    defer { close(place) }
    var info = statvfs()
    guard place >= 0, fstatvfs(place, &info) == 0 else { throw BrokenTest("\(directory): errno \(errno)") }
    let blockSize = Int(info.f_frsize)
    return (Int(info.f_bavail) * blockSize, Int(info.f_blocks) * blockSize)
  }

  private func giveRoomBack() throws {
    try FileManager.default.removeItem(atPath: ballast)
    // ext4 gives blocks to others once the removal is on the disk.
    let parent = open(URL(filePath: ballast).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    defer { close(parent) }
    guard parent >= 0, fsync(parent) == 0 else { throw BrokenTest("\(ballast): errno \(errno)") }
  }

  /// Begins another store, of the old version.
  private mutating func makeAgain() throws {
    repository.close()
    try FileManager.default.removeItem(atPath: directory + "/first")
    (version, stored, message, imported) = (1, [:], 0, 0)
  }

  // MARK: Parts of a cycle

  /// A call that may fail for want of space, and in no other way.
  @discardableResult
  private func attempt(_ name: String, _ body: () throws -> Void) -> Bool {
    do {
      try body()
      say("count \(name) done")
      return true
    } catch let error as FiefError where error.isForWantOfSpace {
      say("count \(name) refused as \(error.code.rawValue)")
    } catch {
      say("wrong \(name): \(error)".replacing("\n", with: " "))
    }
    return false
  }

  /// Writes a message to all its places in the tree.
  private mutating func fanOut() {
    let values = Self.fanOut.values(message + 1)
    if attempt("fan-out", { try JSONTree(in: repository).root.updateChildValuesAndWait(values) }) {
      message += 1
    }
  }

  /// The value of an import.
  private static func value(_ number: Int) -> JSON {
    if number == 0 { return .null }
    return .object(FiefTree.JSONObject((0..<500).map { ("m\($0)", .string("import \(number)")) }))
  }

  private var importedFile: String { directory + "/import.json" }

  /// Imports a file into the tree, which was written when the disk had room.
  private mutating func importFile() {
    let isDone = attempt("import") {
      let tree = JSONTree(in: repository)
      try tree.importJSONAndWait(from: importedFile, to: tree.reference("imported"))
    }
    if isDone { imported += 1 }
  }

  /// Removes all messages and the import. This works on a full disk.
  private mutating func takeBack() {
    do {
      try JSONTree(in: repository).reference("inbox").removeValueAndWait()
      message = 0
      try JSONTree(in: repository).reference("imported").removeValueAndWait()
      imported = 0
      say("count removal from the tree done")
    } catch { say("wrong a removal from the tree: \(error)".replacing("\n", with: " ")) }
  }

  /// Compacts the store. Where that is refused, there is no room for a copy; one takes less than twice the bytes of the items.
  /// - Returns: whether it was done.
  @discardableResult
  private func compact(_ name: String) throws -> Bool {
    let isDone = attempt(name) { try repository.compact() }
    let (free, bytes) = (try room().free, stored.values.reduce(0, +))
    if !isDone, free > 2 * bytes + 2 << 20 {
      say("wrong \(name): refused with \(free) bytes of the disk free, for items of \(bytes) bytes")
    }
    verify("after a \(name)")
    return isDone
  }

  /// Saves items until the disk is full.
  private mutating func fill(bytes: Range<Int>) throws {
    // Several times as much as the disk has room for: writes were acknowledged and lost.
    if try fill(bytes: bytes, atMost: 4000) {
      say("wrong the disk takes more than it has room for")
      verify("never full")
      throw BrokenTest("the disk is never full")
    }
  }

  /// - Returns: whether all items were saved.
  @discardableResult
  private mutating func fill(bytes: Range<Int>, atMost limit: Int) throws -> Bool {
    for _ in 0..<limit {
      let (id, size) = (nextID, bytes.lowerBound + random.next(bytes.count))
      nextID += 1
      let isSaved = attempt("save") {
        try repository.write { transaction in
          var values: [String: Any] = [
            "id": id, "code": "code \(id)", "rank": id % 17, "text": "words \(id % 29)",
            "bytes": Data(repeating: UInt8(id % 251), count: size),
          ]
          if version == 1 {
            try transaction.create(TortureItem.self, value: values)
          } else {
            values["rank"] = Double(id % 17)
            values["stars"] = id % 6
            try transaction.create(NewerItem.self, value: values)
          }
        }
      }
      guard isSaved else { return false }
      stored[id] = size
    }
    return true
  }

  /// All that was acknowledged is there, and nothing else.
  private func verify(_ moment: String) {
    do {
      let report = try repository.check()
      for problem in report.problems { say("wrong \(moment): \(problem)".replacing("\n", with: " ")) }
      var found: [Int: Int] = [:]
      try repository.store().read { snapshot in
        func add(_ id: Int, _ bytes: Data) {
          found[id] = bytes.count
          if !bytes.allSatisfy({ $0 == UInt8(id % 251) }) { say("wrong \(moment): the bytes of item \(id)") }
        }
        if version == 1 {
          try snapshot.objects(TortureItem.self).forEachObject { add($0.id, $0.bytes) }
        } else {
          try snapshot.objects(NewerItem.self).forEachObject { add($0.id, $0.bytes) }
        }
      }
      let tree = try JSONTree(in: repository).root.snapshot().json
      let differences = Self.fanOut.differences(message, in: tree["inbox"])
      if tree["imported"] != Self.value(imported) { say("wrong \(moment): import \(imported) is not there") }
      if differences > 0 { say("wrong \(moment): \(differences) places of message \(message)") }
      if found != stored { say("wrong \(moment): \(found.count) items, \(stored.count) were acknowledged") }
    } catch { say("wrong \(moment): \(error)".replacing("\n", with: " ")) }
  }

  /// Keys beyond 4,096 bytes go to a temporary file, on the same disk.
  private func sort(_ name: String) {
    attempt(name) {
      let ids =
        version == 1
        ? try repository.store().objects(TortureItem.self).sorted(byKeyPath: "text").all().map { $0.id }
        : try repository.store().objects(NewerItem.self).sorted(byKeyPath: "text").all().map { $0.id }
      if Set(ids) != Set(stored.keys) { say("wrong a sort has \(ids.count) of \(stored.count) items") }
    }
  }

  /// The old version or the new one, and what follows goes on with it. A store that has the new one stays as it is.
  private mutating func migrate(_ name: String) {
    guard version == 1 else { return }
    repository.close()
    version = 2
    let isDone = attempt(name) { if let error = repository.store().openingError { throw error } }
    if !isDone {
      repository.close()
      version = 1
    }
    verify("after a \(name)")
  }

  private mutating func deleteHalf() {
    let victims = stored.keys.sorted().filter { _ in random.next(2) == 0 }
    for start in stride(from: 0, to: victims.count, by: 10) {
      let part = Array(victims[start..<min(start + 10, victims.count)])
      do {
        if version == 1 {
          try repository.deleteAndWait(ofType: TortureItem.self, forPrimaryKeys: part)
        } else {
          try repository.deleteAndWait(ofType: NewerItem.self, forPrimaryKeys: part)
        }
        say("count deletion done")
        for id in part { stored[id] = nil }
      } catch {
        say("wrong a deletion of \(part.count) items: \(error)".replacing("\n", with: " "))
      }
    }
  }
}

extension FiefError {
  /// The disk is full, or the part of it that is not kept for deleting.
  fileprivate var isForWantOfSpace: Bool {
    code == .storeFull || "\(self)".contains("errno 28") || "\(self)".contains("No space left")
  }
}
