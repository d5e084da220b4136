import Fief
import FiefTesting
import FiefTreeTestKit
import Foundation
import Testing

@testable import FiefTree

/// The ends of observations: errors, and closed stores.
struct TreeObservationEndTests {
  /// Writes an entry that no tree has, below `a`.
  private func damage(_ chat: TreeFixture) throws {
    try chat.store.store().core().write { scope in
      let nodes = try TreeNodes(in: scope)
      let record = try RecordEditor.make(of: nodes.table) { $0.id == nodes.column.id ? [255] : nil }
      try scope.writer.writingManaged {
        try NodeKey.key(0, TreePlace(TreePath(names: ["a", "b"])).last).withUnsafeBytes { key in
          try record.withUnsafeBytes { try scope.writer.put(key: key, record: $0, into: nodes.table) }
        }
      }
      scope.writer.note(TreePath(names: ["a", "b"]))
    }
  }

  private func repair(_ chat: TreeFixture) throws { try chat.tree.reference("a").removeValueAndWait() }

  @Test(arguments: [TreeEvents.value, .children]) func anErrorIsTheLastCall(_ events: TreeEvents) async throws
  {
    let chat = try TreeFixture()
    try chat.set("a/b", 1)
    let (noted, token) = try chat.observe("a", events)
    let (other, second) = try chat.observe("c", events)
    _ = (noted.take(), other.take())
    try damage(chat)
    while noted.errors.isEmpty { await Task.yield() }
    try chat.expect(noted, [])
    #expect(noted.errors == [.damagedRecord] && other.errors == [])
    try repair(chat)
    try chat.set("a/b", 3)
    try chat.expect(noted, [])
    #expect(noted.errors == [.damagedRecord])
    withExtendedLifetime((token, second)) {}
  }

  @Test(.allowsFailureEvents) func anErrorWithoutAHandlerIsAnEvent() async throws {
    let events = Lock<[StoreEvent]>([])
    var repository = ChatRepository()
    repository.storeOptions.eventHandler = { event in events.withLock { $0.append(event) } }
    let chat = try TreeFixture(repository)
    try chat.set("a/b", 1)
    let token = try chat.tree.reference("a").observe { _ in }
    try chat.deliver()
    try damage(chat)
    let iterator = try chat.tree.reference("a").events().makeAsyncIterator()
    await #expect { _ = try await iterator.next() } throws: { ($0 as? FiefError)?.code == .damagedRecord }
    #expect(try await iterator.next() == nil)
    // The notifier has evaluated the other observation in the same round or before.
    while !events.withLock({ $0.contains { Self.isFailedRead($0) } }) { await Task.yield() }
    try repair(chat)
    withExtendedLifetime(token) {}
  }

  private static func isFailedRead(_ event: StoreEvent) -> Bool {
    if case .failedRead(_, "JSONTreeNode", _, _) = event { true } else { false }
  }

  @Test func aRepositoryWithoutTheClassesCannotObserve() async throws {
    var repository = ChatRepository()
    repository.objectTypes = [Member.self]
    let store = try StoreFixture(repository, .inMemory)
    let tree = JSONTree(in: store)
    let events = ObservedEvents()
    let ended = AsyncStream.makeStream(of: FiefError.Code.self)
    let token = tree.root.observe(onError: { ended.continuation.yield($0.code) }) { events.note($0) }
    var iterator = ended.stream.makeAsyncIterator()
    #expect(await iterator.next() == .unknownType)
    #expect(events.take() == [])
    await #expect { _ = try await tree.root.singleEvent() } throws: {
      ($0 as? FiefError)?.code == .unknownType
    }
    withExtendedLifetime(token) {}
  }

  @Test func closingTheStoreEndsObservationsWithoutAnError() async throws {
    let chat = try TreeFixture()
    let (events, token) = try chat.observe("a")
    let iterator = try chat.tree.reference("a").events().makeAsyncIterator()
    _ = try await iterator.next()
    chat.store.store().close()
    #expect(try await iterator.next() == nil)
    #expect(events.take() == ["value null"] && events.errors == [])
    withExtendedLifetime(token) {}
  }

  @Test func endingObservationsDoesNotOpenTheStore() throws {
    try withFreshStores(.onDisk) {
      let chat = ChatRepository()
      try JSONTree(in: chat).reference("a").removeAllObservers()
      #expect(!StoreRegistry.shared.isOpen(chat))
    }
  }

  /// The values of one delivery have a limit together, as the values of a read.
  @Test func aDeliveryIsLimited() throws {
    let chat = try TreeFixture()
    let text = JSON.string(String(repeating: "x", count: 60))
    try chat.set("r", ["a": text])
    func follower(_ events: TreeEvents, isWhole: Bool) -> TreeFollower {
      let children = ObservedChildren(TreeSelection(childrenOf: TreePath(names: ["r"])))
      return TreeFollower(children, events, isWhole: isWhole, limit: 100)
    }
    func advance(_ follower: inout TreeFollower, _ place: String) throws {
      try chat.store.read { snapshot in
        let nodes = try TreeNodes(in: snapshot)
        _ = try follower.advance([TreePath(place).place], to: nodes)
        _ = try follower.takeEvents(in: nodes)
      }
    }
    let kinds: [(TreeEvents, isWhole: Bool)] = [
      (.value, true), (.children, true), (.children, false), (.value, false),
    ]
    for (events, isWhole) in kinds {
      var (first, late) = (follower(events, isWhole: isWhole), follower(events, isWhole: isWhole))
      try chat.set("r", ["a": text])
      try advance(&first, "r")
      try chat.set("r/b", text)
      if events == .children {
        // Each delivery has the value of one child.
        try advance(&first, "r/b")
      } else {
        expectCode(.valueTooLarge) { try advance(&first, "r/b") }
      }
      expectCode(.valueTooLarge) { try advance(&late, "r") }
    }
    // Values that no event has do not count.
    try chat.set("r", ["a": text, "b": text, "c": text])
    var changes = follower(.childChanged, isWhole: true)
    for _ in 0..<2 { try advance(&changes, "r") }
    try chat.set("r/b", ["x": text])
    try advance(&changes, "r")
    try chat.set("r", ["a": ["x": text], "b": text, "c": text])
    expectCode(.valueTooLarge) { try advance(&changes, "r") }
  }

  /// A child that has left a window is read only if its value may be delivered.
  @Test func aValueThatMayNotBeDeliveredIsNotRead() throws {
    let chat = try TreeFixture()
    let first = try chat.tree.reference("r").queryLimited(toFirst: 1).selection
    func removed(_ mayRead: Bool) throws -> [JSON] {
      var follower = TreeFollower(ObservedChildren(first), .childRemoved, isWhole: false, limit: 100)
      func events() throws -> [TreeFollower.Event] {
        try chat.store.read { snapshot in
          let nodes = try TreeNodes(in: snapshot)
          _ = try follower.advance([TreePath("r").place], to: nodes)
          return try follower.takeEvents(in: nodes) { path in
            #expect(path.text == "r/b")
            return mayRead
          }
        }
      }
      try chat.set("r", ["b": .string(String(repeating: "x", count: 200))])
      #expect(try events().isEmpty)
      try chat.set("r/a", 1)
      return try events().map(\.json)
    }
    #expect(try removed(false) == [.null])
    expectCode(.valueTooLarge) { try removed(true) }
  }
}
