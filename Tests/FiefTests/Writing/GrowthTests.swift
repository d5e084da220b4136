import Fief
import FiefStress
import Foundation
import LMDB
import TestEffort
import Testing

@testable import FiefCore

/// Stores that outgrow their map, their limit or the disk, and stores that others use too.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct GrowthTests {
  private func repository(_ directory: TemporaryDirectory, mapSize: Int) -> WriteRepository {
    var repository = WriteRepository.onDisk(directory)
    repository.storeOptions.initialMapSize = mapSize
    repository.storeOptions.reservedBytes = 0
    return repository
  }

  @Test func growsUnderReadersAndWriters() async throws {
    let directory = try TemporaryDirectory()
    let repository = repository(directory, mapSize: 1 << 20)
    defer { repository.close() }
    let isDone = Lock(false)
    let title = String(repeating: "title ", count: 300)
    async let readers: Void = withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          while !isDone.withLock({ $0 }) {
            let problem = try? repository.read { snapshot -> String? in
              let count = try snapshot.count(WriteBook.self)
              var seen = 0
              for book in snapshot.objects(WriteBook.self) {
                seen += 1
                if book.title != title { return "a title is \(book.title.count) characters long" }
              }
              return seen == count ? nil : "\(seen) books of \(count)"
            }
            if let problem { Issue.record("\(problem)") }
            await Task.yield()
          }
        }
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for batch in 0..<8 {
            let books = (0..<40).map { WriteBook("\(task)/\(batch)/\($0)", title: title) }
            do { try await repository.save(entities: books, update: false) } catch { Issue.record(error) }
          }
        }
      }
    }
    isDone.withLock { $0 = true }
    await readers
    #expect(try repository.count(WriteBook.self) == 8 * 8 * 40)
    #expect(try repository.check().problems == [])
    let size =
      try FileManager.default.attributesOfItem(atPath: directory["books/data.mdb"])[.size] as? Int ?? 0
    #expect(size > 4 << 20)
  }

  @Test func aWriteThatRunsAgainStartsFromTheSameObjects() throws {
    let directory = try TemporaryDirectory()
    let repository = repository(directory, mapSize: 128 << 10)
    defer { repository.close() }
    var runs = 0
    let shared = WriteAuthor("shared")
    try repository.write { transaction in
      runs += 1
      try transaction.add(shared)
      for number in 0..<500 {
        let author = WriteAuthor("\(number) " + String(repeating: "x", count: 1_000))
        author.books.append(WriteBook("\(number)"))
        try transaction.add(author)
      }
      shared.name = "changed"
    }
    #expect(runs > 1)
    #expect(try repository.count(WriteAuthor.self) == 501 && repository.count(WriteBook.self) == 500)
    #expect(try repository.check().problems == [])
    try repository.saveNow([shared], .all)
    #expect(try repository.count(WriteAuthor.self) == 501)
  }

  @Test(arguments: TypedPlace.allCases) func aWriteInsideAReadHasRoomFromTheStart(place: TypedPlace) throws {
    let store = try TypedStore(place, [LinkedPhoto.self])
    let title = String(repeating: "t", count: 2_000)
    // Far more than the former first map of a store.
    for round in 0..<TestEffort.count(4, more: 12) {
      try store.read { snapshot in
        let before = snapshot.objects(LinkedPhoto.self).count
        try store.write { transaction in
          for id in 0..<1_000 {
            let values: [String: Any] = ["id": round * 1_000 + id, "title": title]
            try transaction.add(LinkedPhoto(value: values))
          }
        }
        #expect(snapshot.objects(LinkedPhoto.self).count == before)
      }
    }
    let size = try store.store().core().environment.statistics().mapSize
    #expect(size >= 16 << 30)
  }

  @Test(arguments: TypedPlace.allCases) func writesHaveRoomDuringALongReadOfAnotherThread(place: TypedPlace)
    throws
  {
    let store = try TypedStore(place, [LinkedPhoto.self])
    let handle = store.store()
    let (isReading, mayEnd, hasEnded) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let counts = Lock<[Int]>([])
    Thread.detachNewThread {
      let found = try? handle.read { snapshot in
        let before = snapshot.objects(LinkedPhoto.self).count
        isReading.signal()
        mayEnd.wait()
        return [before, snapshot.objects(LinkedPhoto.self).count]
      }
      counts.withLock { $0 = found ?? [] }
      // For a read that has failed before it began.
      isReading.signal()
      hasEnded.signal()
    }
    isReading.wait()
    defer {
      mayEnd.signal()
      hasEnded.wait()
      #expect(counts.withLock { $0 } == [0, 0])
    }
    let title = String(repeating: "t", count: 2_000)
    for round in 1...TestEffort.count(4, more: 10) {
      try store.write { transaction in
        for id in 0..<1_000 {
          let values: [String: Any] = ["id": round * 1_000 + id, "title": title]
          try transaction.add(LinkedPhoto(value: values))
        }
      }
      // New reads begin meanwhile.
      #expect(handle.objects(LinkedPhoto.self).count == round * 1_000)
    }
  }

  @Test func aWriteInsideAReadThatNeedsALargerMapFailsAtOnce() throws {
    let directory = try TemporaryDirectory()
    let repository = repository(directory, mapSize: 128 << 10)
    defer { repository.close() }
    let books = (0..<500).map { WriteBook("\($0)", title: String(repeating: "t", count: 1_000)) }
    try repository.read { snapshot in
      let error = failure { try repository.write { try $0.add(books) } } as? FiefError
      #expect(error?.code == .readersBlockGrowth && error?.store == "books")
      #expect(snapshot.objects(WriteBook.self).isEmpty)
    }
    #expect(repository.isbns == [])
    try repository.write { try $0.add(books) }
    #expect(try repository.count(WriteBook.self) == 500)
    #expect(try repository.check().problems == [])
  }

  @Test func theLimitOfAStoreIsAnErrorForWhatDoesNotFit() async throws {
    let directory = try TemporaryDirectory()
    var limited = repository(directory, mapSize: 512 << 10)
    limited.storeOptions.maximumMapSize = 1 << 20
    let repository = limited
    defer { repository.close() }
    let error =
      failure {
        try repository.saveNow(
          (0..<2_000).map { WriteBook("\($0)", title: String(repeating: "t", count: 900)) }
        )
      } as? FiefError
    #expect(error?.code == .storeFull && error?.store == "books")
    #expect(repository.isbns == [])
    // One that does not fit does not keep out those that share its commit.
    let queue = try #require(repository.store().openedCore).queue()
    queue.pause()
    let large = Task {
      let books = (0..<2_000).map { WriteBook("large \($0)", title: String(repeating: "t", count: 900)) }
      return try await repository.save(entities: books, update: false)
    }
    let small = (0..<20).map { number in
      Task { try await repository.save(entity: WriteBook("\(number)"), update: false) }
    }
    try await until { queue.statistics.pending == 21 }
    queue.resume()
    #expect(code(await failure(of: large)) == .storeFull)
    for task in small { #expect(try await task.value) }
    #expect(try repository.count(WriteBook.self) == 20)
    #expect(try repository.check().problems == [])
  }

  @Test func aReadOnlyStoreIsReadAndNotWritten() throws {
    let directory = try TemporaryDirectory()
    let writing = WriteRepository.onDisk(directory)
    var reading = writing
    reading.storeOptions.isReadOnly = true
    #expect(reading.store().openingError != nil)
    #expect(!FileManager.default.fileExists(atPath: directory["books/data.mdb"]))
    try writing.saveNow([WriteBook("1", title: "One")])
    writing.close()
    defer { reading.close() }
    #expect(reading.book("1")?.title == "One")
    #expect(code(failure { try reading.saveNow([WriteBook("2")]) }) == .readOnlyStore)
    #expect(code(failure { try reading.deleteNow([WriteBook("1")]) }) == .readOnlyStore)
    #expect(code(failure { try reading.write { _ in } }) == .readOnlyStore)
    #expect(reading.isbns == ["1"])
    #expect(try reading.check().problems == [])
  }

  @Test func anotherProcessWritesWhileThisOneReads() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    let directory = try TemporaryDirectory()
    let stores = StressRepositories { domain in
      var repository = StressRepository(domain, directory: directory.path)
      // Smaller than what the other process makes of it.
      repository.storeOptions.initialMapSize = 256 << 10
      return repository
    }
    defer { stores.close() }
    for repository in stores.all { #expect(repository.store().openingError == nil) }
    let child = try CrashChild("write", directory.path, "\(seed % 1_000_000)", "0")
    var (largest, rounds) = (0, 0)
    // The other process may take its time to begin.
    while rounds < TestEffort.count(4, more: 20) || largest == 0 {
      rounds += 1
      try stores.pets.read { snapshot in
        let count = try snapshot.count(StressPerson.self)
        var seen = 0
        for person in snapshot.objects(StressPerson.self) {
          if let problem = StressUnit(person.id).problem(of: person) {
            Issue.record("\(problem), seed \(seed)")
          }
          seen += 1
        }
        #expect(seen == count, "seed \(seed)")
        largest = max(largest, count)
      }
      // Row ids of both processes come from the same store.
      let entry = StressEntry()
      entry.order = -1
      var outcome: Result<Bool, any Error> = .success(false)
      outcome = Result {
        try stores.payments.saveAndWait(entity: entry, update: false)
        return true
      }
      #expect(throws: Never.self) { try outcome.get() }
      usleep(5_000)
    }
    let (lines, end) = child.finish()
    #expect(end == .exited(0) && lines.last == "end 0", "seed \(seed)")
    var outcome = StressOutcome()
    for event in lines.compactMap({ StressEvent(line: $0) }) { outcome.add(event) }
    let problems = try StressVerifier(stores: stores).problems(outcome, isExact: false)
    #expect(problems == [], "seed \(seed)")
    let own = stores.payments.queryAll(returningClass: StressEntry.self)?.count { $0.order == -1 }
    #expect(own == rounds, "seed \(seed)")
  }
}

#if os(Linux)
  @Suite(.serialized, .enabled(if: SmallDisk.isPossible, "mounting a file system is not permitted"))
  struct FullDiskTests {
    @Test func aFullStoreIsReadAndWorksAgainAfterDeleting() async throws {
      let disk = try #require(SmallDisk(kilobytes: 6 << 10))
      let repository = WriteRepository.onDisk(disk.directory)
      defer { repository.close() }
      let title = String(repeating: "t", count: 2_000)
      var saved = 0
      var full: FiefError?
      while full == nil, saved < 10_000 {
        full =
          failure { try repository.saveNow((0..<10).map { WriteBook("\(saved + $0)", title: title) }) }
          as? FiefError
        if full == nil { saved += 10 }
      }
      #expect(full?.code == .storeFull && full?.store == "books")
      #expect(saved > 200)
      #expect(try repository.count(WriteBook.self) == saved)
      #expect(repository.book("5")?.title == title)
      #expect(try repository.check().problems == [])
      for _ in 0..<3 {
        #expect(
          code(failure { try repository.saveNow([WriteBook("new", title: title)], .all) }) == .storeFull
        )
      }
      // A deletion that shares its commit with saves is made all the same.
      let queue = try #require(repository.store().openedCore).queue()
      queue.pause()
      let saves = (0..<10).map { number in
        Task { try await repository.save(entity: WriteBook("late \(number)", title: title), update: false) }
      }
      let deletion = Task {
        try await repository.delete(entities: (0..<10).map { WriteBook("\($0)") })
      }
      try await until { queue.statistics.pending == 11 }
      queue.resume()
      let deleted = await failure(of: deletion)
      #expect(deleted == nil, "\(String(describing: deleted))")
      var late = 0
      for task in saves { late += await failure(of: task) == nil ? 1 : 0 }
      // Each deletion is small: the reserve holds the pages that it changes.
      let half = saved / 20 * 10
      for start in stride(from: 10, to: half, by: 10) {
        try repository.deleteNow((start..<(start + 10)).map { WriteBook("\($0)") })
      }
      #expect(try repository.count(WriteBook.self) == saved - half + late)
      #expect(try repository.check().problems == [])
      for number in 0..<(saved / 4) {
        let error = failure { try repository.saveNow([WriteBook("again \(number)", title: title)]) }
        #expect(error == nil, "book \(number): \(String(describing: error))")
        if error != nil { break }
      }
      repository.close()
      #expect(try repository.count(WriteBook.self) == saved - half + late + saved / 4)
      #expect(try repository.check().problems == [])
    }
  }
#endif
