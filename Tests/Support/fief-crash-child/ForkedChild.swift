import Dispatch
import Fief
import FiefStress
import LMDBFaults

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A process that forks while it has stores open.
enum ForkedChild {
  /// Writes the errors that uses of the stores get in the forked process, and the content of both in the end.
  static func run(_ directory: String) {
    let repositories = [
      StressJointRepository("first", directory: directory),
      StressJointRepository("first", identifier: directory),
    ]
    for repository in repositories { write(repository, 1, "before") }
    let context = Unmanaged.passRetained(Context(repositories))
    let status = faults_fork(
      { context in
        // SAFETY: the parent keeps the object until its child has ended.
        guard let context else { return 1 }
        let it = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        for repository in it.repositories { ForkedChild.use(repository) }
        // Closed and opened again, it is this process's own.
        ForkedChild.write(it.repositories[0], 2, "reopened")
        return 0
      },
      context.toOpaque()
    )
    context.release()
    Child.say("status \(status)\n")
    for repository in repositories {
      write(repository, 3, "after")
      let count = (try? repository.count(StressAccount.self)) ?? -1
      Child.say("objects \(count)\n")
      repository.close()
    }
    Child.say("end 1\n")
  }

  /// Writes the errors that the ends of a write get in a process that was forked off inside of it, and how it
  /// ends in its own.
  static func runInWrite(_ directory: String) {
    let repository = StressJointRepository("first", directory: directory)
    let store = repository.store()
    Child.say("begin \(code { try store.beginHeldWrite() })\n")
    store.create(StressAccount.self, value: ["id": 1])
    let context = Unmanaged.passRetained(Context([repository]))
    let status = faults_fork(
      { context in
        // SAFETY: the parent keeps the object until its child has ended.
        guard let context else { return 1 }
        let it = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        let store = it.repositories[0].store()
        Child.say("commit \(ForkedChild.code { try store.commitHeldWrite(withoutNotifying: []) })\n")
        Child.say("cancel \(ForkedChild.code { try store.cancelHeldWrite() })\n")
        it.repositories[0].close()
        return 0
      },
      context.toOpaque()
    )
    context.release()
    Child.say("status \(status)\n")
    Child.say("commit \(code { try store.commitHeldWrite(withoutNotifying: []) })\n")
    Child.say("objects \((try? repository.count(StressAccount.self)) ?? -1)\n")
    repository.close()
    Child.say("end 1\n")
  }

  /// Observes stores in a process and in its forked child, and writes the number of updates that each of them gets.
  static func runObserving(_ directory: String) {
    let repository = StressJointRepository("first", directory: directory)
    Child.say("before \(updates(of: repository, from: 10))\n")
    let token = repository.store().objects(StressAccount.self).observe { _ in }
    let context = Unmanaged.passRetained(Context([repository]))
    let status = faults_fork(
      { context in
        // SAFETY: the parent keeps the object until its child has ended.
        guard let context else { return 1 }
        let it = Unmanaged<Context>.fromOpaque(context).takeUnretainedValue()
        it.repositories[0].close()
        Child.say("forked \(ForkedChild.updates(of: it.repositories[0], from: 20))\n")
        return 0
      },
      context.toOpaque()
    )
    context.release()
    Child.say("status \(status)\n")
    token.invalidate()
    Child.say("after \(updates(of: repository, from: 30))\n")
    repository.close()
    Child.say("end 1\n")
  }

  /// Makes five commits and waits for the update after each.
  private static func updates(of repository: StressJointRepository, from first: Int) -> Int {
    let seen = DispatchSemaphore(value: 0)
    let token = repository.store().objects(StressAccount.self).observe { _ in seen.signal() }
    defer { token.invalidate() }
    var count = 0
    // The first call is the initial state.
    guard seen.wait(timeout: .now() + 60) == .success else { return -1 }
    for id in first..<first + 5 {
      try? repository.write { _ = try $0.create(StressAccount.self, value: ["id": id]) }
      if seen.wait(timeout: .now() + 60) == .success { count += 1 }
    }
    return count
  }

  private final class Context {
    let repositories: [StressJointRepository]
    init(_ repositories: [StressJointRepository]) { self.repositories = repositories }
  }

  private static func use(_ repository: StressJointRepository) {
    Child.say("count \(code { _ = try repository.count(StressAccount.self) })\n")
    write(repository, 9, "write")
    Child.say("read \(code { try repository.read { _ = try $0.count(StressAccount.self) } })\n")
    repository.close()
  }

  private static func write(_ repository: StressJointRepository, _ id: Int, _ name: String) {
    let outcome = code {
      try repository.write { _ = try $0.create(StressAccount.self, value: ["id": id], update: .all) }
    }
    Child.say("\(name) \(outcome)\n")
  }

  private static func code(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "none"
    } catch {
      return (error as? FiefError)?.code.rawValue ?? "\(error)"
    }
  }
}
