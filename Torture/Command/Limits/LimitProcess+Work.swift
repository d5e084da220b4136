import Fief
import FiefTorture
import Foundation

extension LimitProcess {
  /// Does all that an application does, once; each of it is done or refused with an error that says why.
  ///
  /// - Parameters:
  ///   - codes: those of such errors.
  ///   - bytes: the size of what is saved.
  /// - Returns: whether all of it was done.
  func useStores(_ codes: Set<FiefError.Code>, bytes: Int = 100) -> Bool {
    let isSaved = save(codes, bytes: bytes)
    let isRead = read(codes)
    let isObserved = observe(codes)
    let isLookedAfter = lookAfter(codes)
    let isOpened = useOthers(codes)
    return isSaved && isRead && isObserved && isLookedAfter && isOpened
  }

  private func save(_ codes: Set<FiefError.Code>, bytes: Int) -> Bool {
    let repository = stores.repository()
    var isDone = true
    func attempt(_ name: String, _ body: (Int) throws -> Void) {
      say("doing \(name)")
      let id = stores.nextID()
      isDone = stores.attempt(name, codes, saving: [id]) { try body(id) } && isDone
    }
    attempt("save") { try repository.saveAndWait(entity: LimitedStores.item($0, bytes: bytes)) }
    attempt("write") { id in
      try repository.write {
        _ = try $0.create(TortureItem.self, value: LimitedStores.values(id, bytes: bytes))
      }
    }
    attempt("asynchronous save") { id in
      try Self.wait { try await repository.save(entity: LimitedStores.item(id, bytes: bytes), update: true) }
    }
    attempt("save with a handler") { id in
      try saveWithHandler(LimitedStores.item(id, bytes: bytes), repository)
    }
    return isDone
  }

  /// Saves with a handler that is called on a thread of the store's, and waits for it.
  func saveWithHandler(_ item: TortureItem, _ repository: TortureRepository) throws {
    let called = CountedCalls()
    let result = OwnedResult()
    repository.save(entity: item, update: true, isolation: nil) {
      result.set($0.map { _ in () })
      called.add()
    }
    guard called.wait(for: 1) else { return stores.wrong("the handler of a save was not called") }
    try result.get()
  }

  /// Runs a task on this thread until it has ended.
  static func wait(_ body: @escaping @Sendable () async throws -> Void) throws {
    let (ended, result, executor) = (CountedCalls(), OwnedResult(), OwnThreadExecutor())
    Task.detached(executorPreference: executor) {
      do {
        try await body()
        result.set(.success(()))
      } catch { result.set(.failure(error)) }
      ended.add()
    }
    guard executor.run(until: { ended.value > 0 }) else { throw BrokenTest("a task did not end") }
    try result.get()
  }

  private func read(_ codes: Set<FiefError.Code>) -> Bool {
    let repository = stores.repository()
    say("doing queries")
    let isQueried = stores.attempt("query", codes) {
      let items = try repository.objects(TortureItem.self)
      let counts = [
        try items.fetchCount(), try items.where { $0.rank >= 0 }.fetchCount(),
        try LimitedStores.ids(in: repository).count,
      ]
      if Set(counts).count != 1 { stores.wrong("queries disagree: \(counts)") }
    }
    // Keys beyond 4,096 bytes go to a temporary file.
    let isSorted = stores.attempt("sort", codes.union([.inputOutput])) {
      let ids = try LimitedStores.ids(in: repository, sortedBy: "id")
      if ids != ids.sorted() { stores.wrong("a sort is in no order") }
    }
    return isQueried && isSorted
  }

  /// Observes, saves, and waits for the change, or for the error in its place.
  private func observe(_ codes: Set<FiefError.Code>) -> Bool {
    say("doing observers")
    let repository = stores.repository()
    let (calls, result) = (CountedCalls(), OwnedResult())
    var found: Results<TortureItem>?
    stores.attempt("results for an observer", codes) { found = try repository.objects(TortureItem.self) }
    guard let items = found else { return false }
    let token = items.observe { change in
      if case .error(let error) = change {
        result.set(.failure(error))
        calls.add(2)
      } else {
        calls.add()
      }
    }
    defer { token.invalidate() }
    guard calls.wait(for: 1) else {
      stores.wrong("an observer was not called")
      return false
    }
    let id = stores.nextID()
    guard
      stores.attempt(
        "save for an observer",
        codes,
        saving: [id],
        { try repository.saveAndWait(entity: LimitedStores.item(id)) }
      )
    else { return false }
    if !calls.wait(for: 2) { stores.wrong("an observer was not called with a change") }
    return stores.attempt("observer", codes) { try result.get() }
  }
}
