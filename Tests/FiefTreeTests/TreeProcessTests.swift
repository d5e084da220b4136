import ChildProcesses
import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import TestEffort
import Testing

/// Another process, the tool `fief`, writes to a tree that this process observes.
@Suite(.freshStores(.onDisk)) struct TreeProcessTests {
  private let repository = ChatRepository()
  private var tree: JSONTree { JSONTree(in: repository) }

  private func run(_ action: String, _ path: String, _ value: String...) throws {
    let store = try #require(repository.store().directory)
    let result = try ChildProcess.run(
      ChildProcess.built("fief"),
      ["tree", action, store, path] + value + ["--write"]
    )
    #expect(result.end == .exited(0), "\(result.errors)")
  }

  @Test(.timeLimit(.minutes(5))) func itsCommitsAreDelivered() async throws {
    try await tree.reference("r").setValue(["a": 1])
    let room = try tree.reference("r")
    let children = room.events(.children).makeAsyncIterator()
    let value = room.events().makeAsyncIterator()
    func next(_ iterator: ChangeSequence<TreeEvent>.Iterator) async throws -> String? {
      try await iterator.next().map { ObservedEvents.text($0).0 }
    }
    #expect(try await next(children) == "+ a 1 after nil")
    #expect(try await next(value) == "value {\"a\":1}")
    try run("set", "r/b", "2")
    #expect(try await next(children) == "+ b 2 after a")
    #expect(try await next(value) == "value {\"a\":1,\"b\":2}")
    // A commit elsewhere causes no event, so the next event belongs to the commit after it.
    try run("set", "elsewhere", "1")
    try run("set", "r/a/x", "3")
    #expect(try await next(children) == "~ a {\"x\":3} after nil")
    #expect(try await next(value) == "value {\"a\":{\"x\":3},\"b\":2}")
    // Both processes write.
    try await room.child("c").setValue(4)
    try run("rm", "r/a")
    try await room.child("d").setValue(5)
    var events: [String] = []
    while events.count < 3 { events.append(try await next(children) ?? "end") }
    #expect(
      Set(events) == ["+ c 4 after b", "- a null", "+ d 5 after c"] || events.contains("+ c 4 after a")
    )
    // The last node of the tree goes, and the ring with it.
    try run("rm", "/")
    var rest = ""
    while rest != "value null" { rest = try await next(value) ?? "value null" }
    #expect(try room.value() == .null)
    #expect(try repository.check().isConsistent)
  }

  @Test(.timeLimit(.minutes(5))) func theirCommitsMoveWindows() async throws {
    let tree = JSONTree(in: repository, rules: try AccessRules().index("r", on: "at"))
    let room = try tree.reference("r")
    try await room.setValue(["a": ["at": 1], "b": ["at": 2]])
    while try !tree.indexes().allSatisfy(\.isComplete) || tree.indexes().isEmpty { await Task.yield() }
    let newest = try room.queryOrdered(byChild: "at").queryLimited(toLast: 1)
    let events = newest.events(.children).makeAsyncIterator()
    func next() async throws -> String? { try await events.next().map { ObservedEvents.text($0).0 } }
    #expect(try await next() == "+ b {\"at\":2} after nil")
    // The tool declares no index.
    try run("set", "r/c/at", "3")
    #expect(try await next() == "- b {\"at\":2}")
    #expect(try await next() == "+ c {\"at\":3} after nil")
    try run("rm", "r/c")
    #expect(try await next() == "- c null")
    #expect(try await next() == "+ b {\"at\":2} after nil")
    #expect(try repository.check().isConsistent && tree.check() == [])
  }

  // MARK: The tool follows

  private func watch(_ arguments: String...) throws -> ChildProcess {
    let store = try #require(repository.store().directory)
    let words = ["tree", "watch", store] + arguments
    let child = try ChildProcess(ChildProcess.built("fief"), words, output: .pipe, errors: .pipe)
    #expect(try child.errors.read(through: "Ctrl-C ends it.") != nil)
    return child
  }

  @Test(.timeLimit(.minutes(5))) func theToolFollowsAValue() throws {
    let place = try tree.reference("r/title")
    try place.setValueAndWait("a")
    let child = try watch("r/title", "--count", "2")
    #expect(try child.output.read(through: "\n\"a\"\n") != nil)
    try tree.reference("elsewhere").setValueAndWait(1)
    try place.setValueAndWait("b")
    #expect(try child.output.read(through: "\n\"b\"\n") != nil)
    try tree.reference("r").removeValueAndWait()
    #expect(try child.output.read(through: "\nnull\n") != nil)
    #expect(child.wait() == .exited(0))
  }

  @Test(.timeLimit(.minutes(5))) func theToolFollowsAWindow() throws {
    let room = try tree.reference("r")
    try room.setValueAndWait(["a": ["at": 1], "b": ["at": 2]])
    let child = try watch("r", "--by", "at", "--last", "2", "--json", "--count", "3")
    func expect(_ event: String, _ path: String, _ rest: String) throws {
      let line = try #require(try child.output.line())
      #expect(line.contains("\"event\":\"\(event)\",\"path\":\"\(path)\",\(rest)}"), "\(line)")
    }
    try expect("childAdded", "r/a", "\"value\":{\"at\":1}")
    try expect("childAdded", "r/b", "\"value\":{\"at\":2},\"after\":\"a\"")
    try room.child("c/at").setValueAndWait(3)
    try expect("childRemoved", "r/a", "\"value\":{\"at\":1}")
    try expect("childAdded", "r/c", "\"value\":{\"at\":3},\"after\":\"b\"")
    try room.child("b/at").setValueAndWait(4)
    try expect("childMoved", "r/b", "\"value\":{\"at\":4},\"after\":\"c\"")
    try expect("childChanged", "r/b", "\"value\":{\"at\":4},\"after\":\"c\"")
    try room.child("c").removeValueAndWait()
    try expect("childRemoved", "r/c", "\"value\":null")
    try expect("childAdded", "r/a", "\"value\":{\"at\":1}")
    #expect(child.wait() == .exited(0))
  }
}

/// Two programs write to one tree.
struct SharedTreeTests {
  private struct SharedRepository: DatabaseConfigurable, Sendable {
    let schemaName: String? = "shared"
    let schemaVersion: UInt64? = 1
    let objectTypes: [Object.Type]? = JSONTree.objectTypes
    let directory: String?
  }

  private func withRepository(_ body: (SharedRepository, String) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "fief-shared-tree-\(UUID())").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let repository = SharedRepository(directory: directory)
    defer { repository.close() }
    try await body(repository, directory)
    #expect(try repository.check().isConsistent)
  }

  private func start(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(ChildProcess.built("fief-crash-child"), arguments, input: .pipe, output: .pipe)
  }

  /// Reads the output of a child through a text, on a thread that no task needs.
  private func read(_ child: ChildProcess, through text: String) async throws -> String? {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try child.output.read(through: text) }) }
    }
  }

  /// The ring of changes has the last 64 commits. While the first handler waits, the other process makes more.
  @Test(.timeLimit(.minutes(5))) func aProcessFarBehindMissesNothing() async throws {
    try await withRepository { repository, directory in
      let tree = JSONTree(in: repository)
      try tree.reference("n/first").setValueAndWait(1)
      let free = DispatchSemaphore(value: 0)
      let (children, last) = (ObservedEvents(), ObservedEvents())
      let tokens = [
        try tree.reference("n").observe(.children, on: DispatchQueue(label: "slow")) { event in
          children.note(event)
          if children.snapshots.count == 1 { free.wait() }
        },
        try tree.reference("n/99").observe { last.note($0) },
      ]
      while children.snapshots.isEmpty || last.snapshots.isEmpty { await Task.yield() }
      let child = try start("tree-write", directory, "100")
      #expect(try await read(child, through: "end 0\n") != nil && child.wait() == .exited(0))
      free.signal()
      while last.snapshots.last?.json != 99 { await Task.yield() }
      while children.snapshots.count < 101 { await Task.yield() }
      let keys = children.snapshots.map { $0.key ?? "" }
      #expect(keys == ["first"] + (0..<100).map(String.init))
      withExtendedLifetime(tokens) {}
    }
  }

  @Test(.timeLimit(.minutes(10))) func starsAreCountedInTwoProcesses() async throws {
    try await withRepository { repository, directory in
      let post = try JSONTree(in: repository).reference("post")
      _ = try post.exists()
      let times = TestEffort.count(25, more: 100)
      let child = try start("tree-toggle", directory, String(times))
      #expect(try await read(child, through: "ready 0\n") != nil)
      try child.input.write("\n")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            for number in 0..<times {
              let name = "u\((number * 5 + task * 7) % 12)"
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
      #expect(try await read(child, through: "end 0\n") != nil && child.wait() == .exited(0))
      let count = try post.child("stars").childCount()
      #expect(try post.child("starCount").value().int ?? 0 == Int64(count))
      // All toggles of both processes came in turn, so each star is set if its toggles are odd in number.
      var toggles = Array(repeating: 0, count: 12)
      for task in 0..<8 {
        for number in 0..<times {
          toggles[(number * 5 + task * 7) % 12] += 1
          toggles[(number * 7 + task * 5) % 12] += 1
        }
      }
      #expect(count == toggles.count { $0 % 2 == 1 })
    }
  }
}
