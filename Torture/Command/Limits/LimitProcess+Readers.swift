import Fief
import FiefTorture
import Foundation

/// Readers of a store that others have taken.
extension LimitProcess {
  static let maximumReaders = 8

  func takeReaders() throws {
    let repository = stores.repository()
    let ids = (0..<20).map { _ in stores.nextID() }
    try repository.saveAndWait(entities: ids.map { LimitedStores.item($0) })
    stores.acknowledge(ids)
    for round in 0..<max(2, scale / 2) {
      try openWithoutReaders(repository, isKilled: round % 2 == 0)
      try useWithoutReaders(repository, isKilled: round % 2 == 1)
      try takeReaders(repository)
    }
  }

  private func startNeighbour() throws -> RunningChild {
    let output = "\(stores.directory)/neighbour"
    try? FileManager.default.removeItem(atPath: output)
    let neighbour = try RunningChild(
      ["neighbour", stores.directory, "--as", "reader", "--readers", "\(Self.maximumReaders)"],
      output: output
    )
    for _ in 0..<6_000 {
      if let line = try neighbour.lines().first(where: { $0.hasPrefix("holding") }) {
        if line == "holding 0" { stores.wrong("another process has got no reader") }
        return neighbour
      }
      guard neighbour.isRunning else { break }
      usleep(10_000)
    }
    throw BrokenTest("the neighbour: \(try neighbour.lines())")
  }

  private func end(_ neighbour: RunningChild, isKilled: Bool) throws {
    if isKilled {
      neighbour.kill()
    } else {
      try Data().write(to: URL(filePath: "\(stores.directory)/neighbour.end"))
    }
    let end = neighbour.wait(seconds: ChildRun.hangLimit)
    if isKilled ? !end.isOfKilled : end != .exited(0) { stores.wrong("the process with the readers: \(end)") }
    try? FileManager.default.removeItem(atPath: "\(stores.directory)/neighbour.end")
  }

  /// Another process has all readers before this one opens the store.
  private func openWithoutReaders(_ repository: TortureRepository, isKilled: Bool) throws {
    say("doing an opening without readers")
    repository.close()
    let neighbour = try startNeighbour()
    stores.attempt("opening", [.tooManyReaders]) { try repository.open() }
    stores.attempt("query", [.tooManyReaders]) {
      let count = try repository.objects(TortureItem.self).fetchCount()
      if count == 0 { stores.wrong("a query without a reader finds nothing") }
    }
    repository.close()
    try end(neighbour, isKilled: isKilled)
    stores.verify("after an opening without readers")
  }

  /// Another process takes the readers that are left.
  private func useWithoutReaders(_ repository: TortureRepository, isKilled: Bool) throws {
    say("doing all without readers")
    repository.close()
    try repository.open()
    let calls = CountedCalls()
    let token = try repository.observe { _ in calls.add() }
    let neighbour = try startNeighbour()
    let id = stores.nextID()
    // Writing needs no reader.
    stores.attempt("save", [], saving: [id]) { try repository.saveAndWait(entity: LimitedStores.item(id)) }
    WorkerThreads.run(6) { _ in
      for _ in 0..<50 {
        stores.attempt("query", [.tooManyReaders]) {
          try repository.read { snapshot in
            let count = try snapshot.objects(TortureItem.self).fetchCount()
            if count == 0 { stores.wrong("a query without a reader finds nothing") }
            usleep(100)
          }
        }
      }
    }
    stores.attempt("backup", [.tooManyReaders]) {
      try repository.backup(to: "\(stores.directory)/copy-\(id)")
    }
    stores.attempt("check", [.tooManyReaders]) { _ = try repository.check() }
    try end(neighbour, isKilled: isKilled)
    if !calls.wait(for: 1) { stores.wrong("an observer without readers was not called afterwards") }
    token.invalidate()
    stores.verify("after use without readers")
  }

  /// Threads of this process have all readers.
  private func takeReaders(_ repository: TortureRepository) throws {
    say("doing all while threads have the readers")
    let (holding, refused, ended) = (CountedCalls(), CountedCalls(), CountedCalls())
    let mayEnd = CountedCalls()
    let threads = Self.maximumReaders + 4
    let calls = CountedCalls()
    let token = try repository.observe { _ in calls.add() }
    for _ in 0..<threads {
      Thread.detachNewThread { [stores] in
        let isDone = stores.attempt("read that lasts", [.tooManyReaders]) {
          try repository.read { snapshot in
            _ = try snapshot.objects(TortureItem.self).fetchCount()
            holding.add()
            _ = mayEnd.wait(for: 1)
          }
        }
        if !isDone { refused.add() }
        holding.add()
        ended.add()
      }
    }
    // Those that were refused have ended.
    _ = holding.wait(for: threads)
    if refused.value < threads - Self.maximumReaders {
      stores.wrong(
        "of \(threads) reads at once \(refused.value) were refused, with \(Self.maximumReaders) readers"
      )
    }
    let (first, second) = (stores.nextID(), stores.nextID())
    stores.attempt("save", [], saving: [first]) {
      try repository.saveAndWait(entity: LimitedStores.item(first))
    }
    stores.attempt("save with a handler", [], saving: [second]) {
      try saveWithHandler(LimitedStores.item(second), repository)
    }
    stores.attempt("query", [.tooManyReaders]) { _ = try repository.objects(TortureItem.self).all() }
    mayEnd.add()
    if !ended.wait(for: threads) { stores.wrong("\(ended.value) of \(threads) reads have ended") }
    if !calls.wait(for: 1) { stores.wrong("an observer without readers was not called afterwards") }
    token.invalidate()
    stores.verify("after all readers were taken")
  }
}
