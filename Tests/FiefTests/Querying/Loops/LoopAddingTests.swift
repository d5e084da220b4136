import Fief
import FiefEncryption
import Foundation
import TestEffort
import Testing

/// Loops over results that add objects: a loop has the objects of the moment in which it began.
@Suite(.timeLimit(.minutes(30))) struct LoopAddingTests {
  private static let sizes = TestEffort.first(3, of: [4, 64, 300, 50, 1_500])

  /// Whether a turn writes: not each of many, since each write of a store on disk waits for the disk.
  private func writes(in turn: Int) -> Bool {
    // A loop reads batches of at most 64 objects: the short form writes at their ends and in between.
    TestEffort.isLong ? turn < 70 || turn % 500 == 0 : turn < 10 || turn % 32 < 2
  }

  @Test(arguments: TestEffort.pairs(MemberStore.allCases, sizes))
  func aLoopInAWriteLeavesOutWhatItAdds(place: MemberStore, size: Int) throws {
    try LoopRepository.with(place, size) { repository in
      for shape in LoopShape.tried(with: size) {
        var (items, notes): ([Int], [Int]) = ([], [])
        try repository.write { tx in
          for item in shape.results(tx.objects(LoopItem.self)) {
            items.append(item.id)
            try tx.add(LoopItem(1_000_001 + items.count * 2), update: .modified)
            if items.count > size { break }
          }
          for note in shape.results(tx.objects(LoopNote.self)) {
            notes.append(note.weight)
            try tx.add(LoopNote(1_000_001 + notes.count * 2))
            if notes.count > size { break }
          }
          try tx.delete(tx.objects(LoopItem.self).filter("id > 1000000"))
          try tx.delete(tx.objects(LoopNote.self).filter("rank > 1000000"))
        }
        #expect(items == shape.numbers(size), "items \(shape): \(items.count)")
        #expect(notes == shape.numbers(size), "notes \(shape): \(notes.count)")
      }
    }
  }

  @Test(arguments: TestEffort.pairs(MemberStore.allCases, sizes))
  func forEachObjectInAWriteLeavesOutWhatItAdds(place: MemberStore, size: Int) throws {
    struct TooMany: Error {}
    try LoopRepository.with(place, size) { repository in
      for shape in LoopShape.tried(with: size) {
        var seen: [Int] = []
        var values: [Int] = []
        try repository.write { tx in
          try shape.results(tx.objects(LoopNote.self)).forEachObject { note in
            seen.append(note.weight)
            try tx.add(LoopNote(1_000_001 + seen.count * 2))
            if seen.count > size { throw TooMany() }
          }
          try tx.delete(tx.objects(LoopNote.self).filter("rank > 1000000"))
          for id in shape.results(tx.objects(LoopItem.self)).select(\.id) {
            values.append(id)
            try tx.add(LoopItem(1_000_001 + values.count * 2))
            if values.count > size { throw TooMany() }
          }
          try tx.delete(tx.objects(LoopItem.self).filter("id > 1000000"))
        }
        #expect(seen == shape.numbers(size), "\(shape): \(seen.count)")
        #expect(values == shape.numbers(size), "\(shape): \(values.count)")
      }
    }
  }

  @Test(arguments: TestEffort.pairs(MemberStore.allCases, sizes))
  func aLoopOutsideLeavesOutWhatItsTurnsAdd(place: MemberStore, size: Int) throws {
    try LoopRepository.with(place, size) { repository in
      for shape in LoopShape.tried(with: size) {
        var (items, notes, values): ([Int], [Int], [Int]) = ([], [], [])
        var added = 0
        func add() throws {
          added += 1
          try repository.write { tx in
            try tx.add(LoopItem(1_000_001 + added * 2))
            try tx.add(LoopNote(1_000_001 + added * 2))
          }
        }
        func removeAdded() throws {
          try repository.write { tx in
            try tx.delete(tx.objects(LoopItem.self).filter("id > 1000000"))
            try tx.delete(tx.objects(LoopNote.self).filter("rank > 1000000"))
          }
        }
        for item in shape.results(repository.store().objects(LoopItem.self)) {
          items.append(item.id)
          if writes(in: items.count) { try add() }
          if items.count > size { break }
        }
        try removeAdded()
        for note in shape.results(repository.store().objects(LoopNote.self)) {
          notes.append(note.weight)
          if writes(in: notes.count) { try add() }
          if notes.count > size { break }
        }
        try removeAdded()
        for id in shape.results(repository.store().objects(LoopItem.self)).select(\.id) {
          values.append(id)
          if writes(in: values.count) { try add() }
          if values.count > size { break }
        }
        try removeAdded()
        #expect(items == shape.numbers(size), "items \(shape): \(items.count)")
        #expect(notes == shape.numbers(size), "notes \(shape): \(notes.count)")
        #expect(values == shape.numbers(size), "values \(shape): \(values.count)")
      }
    }
  }

  @Test(arguments: MemberStore.allCases)
  func aHandlersLoopLeavesOutWhatItsTurnsAdd(place: MemberStore) async throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    var repository = LoopRepository(
      realmMemoryType: place == .disk ? .inStorage : .inMemory(identifier: UUID().uuidString),
      directory: place == .disk ? directory.path : nil
    )
    if place == .encrypted { repository.storeOptions.encryption = .key(Data(repeating: 7, count: 32)) }
    defer { repository.closeChecked() }
    let store = repository.store()
    try await repository.write { tx in try tx.add((0..<100).map { LoopItem($0) }) }
    let seen: [Int] = try await withCheckedThrowingContinuation { continuation in
      let token = Lock<NotificationToken?>(nil)
      token.withLock {
        $0 = store.objects(LoopItem.self).observe { change in
          guard case .initial(let items) = change else { return }
          var seen: [Int] = []
          do {
            for item in items {
              seen.append(item.id)
              try store.write { tx in try tx.add(LoopItem(1_000 + item.id)) }
              if seen.count > 100 { break }
            }
            continuation.resume(returning: seen)
          } catch {
            continuation.resume(throwing: error)
          }
          token.withLock { $0?.invalidate() }
        }
      }
    }
    #expect(seen == Array(0..<100))
  }

  @Test(arguments: sizes)
  func aLoopWithoutClassesLeavesOutWhatItAdds(size: Int) throws {
    struct TooMany: Error {}
    try LoopRepository.with(.disk, size) { repository in
      let store = try DynamicStore(
        directory: try #require(repository.store().directory),
        isReadOnly: false
      )
      defer { store.close() }
      for text in ["", "weight >= 0", "SORT(rank)", "SORT(weight)"] {
        var (found, walked): ([Int], [Int]) = ([], [])
        try store.write { tx in
          try tx.query("LoopItem", text).forEach { item in
            found.append(try item.value(of: "id") as? Int ?? -1)
            let id = 1_000_001 + found.count * 2
            _ = try tx.put("LoopItem", ["id": id, "rank": id, "weight": id])
            if found.count > size { throw TooMany() }
          }
          for item in try tx.query("LoopItem", "id > 1000000").objects() {
            _ = try tx.delete("LoopItem", forKey: try #require(item.key))
          }
          try tx.forEach(ofType: "LoopItem") { item in
            walked.append(try item.value(of: "id") as? Int ?? -1)
            _ = try tx.put("LoopItem", ["id": 1_000_001 + walked.count * 2])
            if walked.count > size { throw TooMany() }
          }
          for item in try tx.query("LoopItem", "id > 1000000").objects() {
            _ = try tx.delete("LoopItem", forKey: try #require(item.key))
          }
        }
        #expect(found == LoopShape.all.numbers(size), "\(text): \(found.count)")
        #expect(walked == LoopShape.all.numbers(size), "\(text): \(walked.count)")
      }
    }
  }
}
