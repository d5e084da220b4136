import Fief
import FiefTesting
import FiefTree
import FiefTreeTestKit
import Foundation
import Testing

/// Handlers without `on:` are called on the actor of their closure.
struct ListenerActorTests {
  @MainActor private final class Screen {
    private(set) var lines: [String] = []
    private(set) var errors: [FiefError.Code] = []
    private var token: NotificationToken?

    func begin(_ room: some TreeQueryable) {
      token = room.observe(.children, onError: { [weak self] in self?.fail($0) }) { [weak self] event in
        self?.show(event)
      }
    }

    private func show(_ event: TreeEvent) {
      MainActor.assertIsolated()
      lines.append(ObservedEvents.text(event).0)
    }

    private func fail(_ error: FiefError) {
      MainActor.assertIsolated()
      errors.append(error.code)
    }
  }

  private actor Log {
    private(set) var lines: [String] = []
    private(set) var errors: [FiefError.Code] = []
    private var tokens: [NotificationToken] = []

    func begin(_ room: TreeReference) {
      tokens.append(
        room.observe(every: .zero) { event in
          self.assertIsolated()
          self.lines.append(ObservedEvents.text(event).0)
        }
      )
    }

    /// Observes with a handler that has no actor, and an `onError` that has one.
    func begin(_ room: TreeReference, _ handler: @escaping @Sendable (TreeEvent) -> Void) {
      tokens.append(
        room.observe(
          onError: { error in
            self.assertIsolated()
            self.errors.append(error.code)
          },
          handler
        )
      )
    }
  }

  private func waitUntilDelivered(_ chat: TreeFixture) async throws {
    let core = try chat.store.store().core()
    // The main actor must be free for its handlers.
    await Task.detached { core.hub.waitUntilDelivered() }.value
  }

  @Test @MainActor func aMainActorClassNeedsNoActor() async throws {
    let chat = try TreeFixture()
    let client = chat.tree.client(as: RuleAuth(uid: "ada"))
    let (screen, place, query) = (Screen(), Screen(), Screen())
    screen.begin(try chat.tree.reference("r"))
    place.begin(try client.reference("r"))
    query.begin(try client.reference("r").queryLimited(toLast: 1))
    try await chat.tree.reference("r").setValue(["a": 1, "b": 2])
    try await waitUntilDelivered(chat)
    #expect(screen.lines == ["+ a 1 after nil", "+ b 2 after a"])
    #expect(place.lines == screen.lines && query.lines == ["+ b 2 after nil"])
    client.signOut()
    try await waitUntilDelivered(chat)
    #expect(place.errors == [.permissionDenied] && query.errors == [.permissionDenied])
    #expect(screen.errors == [])
  }

  @Test func anActorIsTheActorOfItsHandlers() async throws {
    let chat = try TreeFixture()
    let log = Log()
    await log.begin(try chat.tree.reference("n"))
    try await chat.tree.reference("n").setValue(1)
    try await waitUntilDelivered(chat)
    #expect(await log.lines.last == "value 1")
  }

  @Test(.timeLimit(.minutes(1))) func onErrorHasAnActorWithoutTheHandler() async throws {
    let chat = try TreeFixture()
    let client = chat.tree.client(as: RuleAuth(uid: "ada"))
    let (log, events) = (Log(), ObservedEvents())
    await log.begin(try client.reference("n")) { events.note($0) }
    try await chat.tree.reference("n").setValue(1)
    try await waitUntilDelivered(chat)
    #expect(events.take().last == "value 1")
    client.signOut()
    while await log.errors.isEmpty { await Task.yield() }
    #expect(await log.errors == [.permissionDenied])
  }

  @Test func codeWithoutAnActorGetsAThreadOfTheLibrary() throws {
    let chat = try TreeFixture()
    let onMain = Lock<[Bool]>([])
    let token = try chat.tree.reference("n").observe { _ in onMain.withLock { $0.append(Thread.isMainThread) }
    }
    try chat.set("n", 1)
    try chat.deliver()
    #expect(onMain.withLock { !$0.isEmpty && !$0.contains(true) })
    withExtendedLifetime(token) {}
  }
}
