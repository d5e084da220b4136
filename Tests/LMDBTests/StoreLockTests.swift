import Foundation
import LMDB
import Testing

@Suite struct StoreLockTests {
  let scratch = Scratch()

  private func make(_ name: String, _ value: String) throws {
    let environment = try Environment.open(directory: scratch[name], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    try environment.write { try $0.put(items, "key", value) }
  }

  private func value(_ name: String) throws -> String? {
    let environment = try Environment.open(directory: scratch[name], options: .small())
    defer { environment.close() }
    let items = try environment.database("items")
    return try environment.read { try $0.text(items, "key") }
  }

  @Test func anOpenStoreIsSeenAndNotReplaced() throws {
    try make("store", "old")
    try make("copy", "new")
    #expect(try StoreLock.use(of: scratch["store"]) == .unused)
    let environment = try Environment.open(directory: scratch["store"], options: .small())
    #expect(try StoreLock.use(of: scratch["store"]) == .thisProcess)
    #expect(code { try StoreLock.withExclusiveUse(of: scratch["store"]) {} } == .inUse)
    #expect(
      code { _ = try StoreExchange.swapData(of: scratch["store"], withCopyIn: scratch["copy"]) } == .inUse
    )
    environment.close()
    #expect(try StoreLock.use(of: scratch["store"]) == .unused)
    #expect(try value("store") == "old")
    #expect(code { _ = try StoreLock.use(of: scratch["missing"]) } == .notFound)
  }

  @Test func filesChangePlaces() throws {
    try make("store", "old")
    try make("copy", "new")
    let commit = try StoreVerifier.newestCommit(of: scratch["store"])
    #expect(
      try !StoreExchange.swapData(
        of: scratch["store"],
        withCopyIn: scratch["copy"],
        ifAt: commit.transaction + 1
      )
    )
    #expect(try value("store") == "old")
    #expect(
      try StoreExchange.swapData(of: scratch["store"], withCopyIn: scratch["copy"], ifAt: commit.transaction)
    )
    #expect(try value("store") == "new")
    #expect(try value("copy") == "old")
  }

  @Test func whoOpensTheStoreMeanwhileWaits() throws {
    try make("store", "old")
    let isOver = OwnedLock(false)
    let path = scratch["store"]
    try StoreLock.withExclusiveUse(of: path) {
      Thread.detachNewThread {
        let environment = try? Environment.open(directory: path, options: .small())
        let value = isOver.withLock { $0 }
        #expect(environment != nil && value)
        environment?.close()
        isOver.withLock { $0 = false }
      }
      usleep(50_000)
      isOver.withLock { $0 = true }
    }
    // The other thread says that it was let in by taking the mark back.
    #expect(eventually { !isOver.withLock { $0 } })
  }
}
