import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import TestEffort
import Testing

/// Transactions of a tree, in their turn of the write queue.
struct TransactionTests {
  private struct Refused: Error {}

  @Test(arguments: StoreKind.allCases) func aFunctionComputesTheValue(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    let place = try chat.tree.reference("posts/p1")
    let seen = Lock<[JSON]>([])
    let first = try await place.runTransaction { value in
      seen.withLock { $0.append(value) }
      value["tags"] = ["a", "b"]
      value["stars"] = .increment(2)
      return .commit
    }
    #expect(first.committed && first.attempts == 1 && first.snapshot.reference == place)
    #expect(first.snapshot.json == ["stars": 2, "tags": ["0": "a", "1": "b"]])
    let second = try place.runTransactionAndWait(maximumAttempts: 0, applyLocally: false) { value in
      seen.withLock { $0.append(value) }
      value = .null
      return .commit
    }
    #expect(second.committed && !second.snapshot.exists)
    // The function gets nodes as objects, and nothing at first.
    #expect(seen.withLock { $0 } == [.null, ["stars": 2, "tags": ["0": "a", "1": "b"]]])
    #expect(try chat.whole() == .null && chat.tree.check() == [])
  }

  @Test(arguments: StoreKind.allCases) func anAbortChangesNothing(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    try chat.set("a", ["b": 1])
    let core = try #require(chat.store.store().openedCore)
    let commit = try core.read { $0.id }
    let place = try chat.tree.reference("a")
    let aborted = try await place.runTransaction { value in
      value = "changed"
      return .abort
    }
    #expect(!aborted.committed && aborted.attempts == 1 && aborted.snapshot.json == ["b": 1])
    // The commit writes nothing, because the value is equal.
    let equal = try await place.runTransaction { _ in .commit }
    #expect(equal.committed && equal.snapshot.json == ["b": 1])
    await #expect(throws: Refused.self) {
      try await place.runTransaction { value in
        value = 2
        throw Refused()
      }
    }
    #expect(try core.read { $0.id } == commit && chat.whole() == ["a": ["b": 1]])
  }

  @Test func invalidResultsAndMisuseAreErrors() async throws {
    let (chat, other) = (try TreeFixture(), try TreeFixture())
    let place = try chat.tree.reference("a")
    expectCode(.invalidTreeKey) {
      try place.runTransactionAndWait { value in
        value = ["$": 1]
        return .commit
      }
    }
    expectCode(.invalidValue) { try place.runTransactionAndWait(maximumAttempts: -1) { _ in .commit } }
    for tree in [chat.tree, other.tree] {
      expectCode(.nestedWrite) {
        try place.runTransactionAndWait { value in
          value = 1
          try tree.root.setValueAndWait(2)
          return .commit
        }
      }
    }
    let errors = Lock<[FiefError.Code?]>([])
    let kept = try await place.runTransaction { value in
      do { try chat.store.write { _ in } } catch {
        errors.withLock { $0.append((error as? FiefError)?.code) }
      }
      // Reads see the state of the write.
      value = try chat.tree.root.exists() ? 1 : 2
      return .commit
    }
    #expect(kept.snapshot.json == 2 && errors.withLock { $0 } == [.nestedWrite])
    try await chat.store.write { _ in
      expectCode(.nestedWrite) { try place.runTransactionAndWait { _ in .commit } }
    }
    #expect(try chat.whole() == ["a": 2] && other.whole() == .null)
  }

  @Test(.timeLimit(.minutes(5)), arguments: [StoreKind.onDisk, .inMemory])
  func starsAreCounted(_ kind: StoreKind) async throws {
    let chat = try TreeFixture(kind)
    let post = try chat.tree.reference("post")
    let toggles = TestEffort.count(25, more: 100)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for user in 0..<8 {
        group.addTask {
          var random = SeededRandom(state: UInt64(user))
          for _ in 0..<toggles {
            let name = "u\(Int.random(in: 0..<12, using: &random))"
            _ = try await post.runTransaction { post in
              let isStar = post["stars"][name] != .null
              post["stars"][name] = isStar ? .null : true
              post["starCount"] = .int((post["starCount"].int ?? 0) + (isStar ? -1 : 1))
              return .commit
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let count = try post.child("stars").childCount()
    #expect(try post.child("starCount").value().int ?? 0 == Int64(count))
  }
}
