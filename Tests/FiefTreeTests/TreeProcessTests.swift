import ChildProcesses
import Fief
import FiefTesting
import FiefTree
import Foundation
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
    try run("rm", "")
    var rest = ""
    while rest != "value null" { rest = try await next(value) ?? "value null" }
    #expect(try room.value() == .null)
    #expect(try repository.check().isConsistent)
  }
}
