import Dispatch
import Fief
import FiefConsole
import Foundation

/// The domains whose objects can be followed.
enum WatchedDomain: String, Sendable, CaseIterable {
  case catalogue
  case payments
  case pets
  case auth
}

/// The command that follows a domain while other processes write to it.
extension PetStoreCommand {
  static func watch(
    _ domain: WatchedDomain,
    updates: Int?,
    in directory: String,
    on console: Console
  ) async throws {
    let store = try PetStore.encrypted(in: directory)
    defer { store.manager.close() }
    switch domain {
    case .catalogue:
      let packages = try store.catalogue.objects(Package.self).sorted(byKeyPath: \.name)
      try await follow(packages, "packages", updates, console) { "\($0.name) \($0.version)" }
    case .payments:
      let orders = try store.payments.objects(Order.self).sorted(byKeyPath: \.number)
      try await follow(orders, "orders", updates, console) { "\($0.number) (\($0.status))" }
    case .pets:
      let dogs = try store.pets.objects(Dog.self).sorted(byKeyPath: \.name)
      try await follow(dogs, "dogs", updates, console) { "\($0.name), \($0.age)" }
    case .auth:
      let users = try store.auth.objects(User.self).sorted(byKeyPath: \.email)
      try await follow(users, "users", updates, console) { "\($0.name) <\($0.email)>" }
    }
  }

  private static func follow<Element: Object>(
    _ results: Results<Element>,
    _ noun: String,
    _ updates: Int?,
    _ console: Console,
    title: @escaping @Sendable (Element) -> String
  ) async throws {
    let (ends, end) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
    let follower = DomainFollower(noun, updates: updates, console, end, title: title)
    let token = results.observe(on: follower) { follower, change in follower.take(change) }
    defer { token.invalidate() }
    let interrupts = interrupts { end.yield(.success(())) }
    defer { interrupts.cancel() }
    for await result in ends { return try result.get() }
  }

  /// Calls a closure in place of ending the process, when it is interrupted from the keyboard.
  private static func interrupts(_ body: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler(handler: body)
    source.resume()
    return source
  }
}
