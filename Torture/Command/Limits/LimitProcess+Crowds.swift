import Fief
import FiefTorture
import Foundation

/// Very many at once: stores, observers.
extension LimitProcess {
  // MARK: Stores

  func openManyStores() throws {
    let names = (0..<(scale > 1 ? 200 : 60)).map { "store-\($0)" }
    try ProcessLimit.descriptors.set(4_096)
    say("doing openings of \(names.count) stores")
    for name in names { save(to: name) }
    let repositories = names.map { stores.repository($0) }
    let notified = CountedCalls()
    let tokens = try repositories.map { try $0.observe { _ in notified.add() } }
    say("doing saves in all of them")
    WorkerThreads.run(8) { part in
      for name in names.indices.filter({ $0 % 8 == part }).map({ names[$0] }) { save(to: name) }
    }
    if !notified.wait(for: names.count) {
      stores.wrong("of \(names.count) observers \(notified.value) were called")
    }
    say("doing a write to all of them")
    let id = stores.nextID()
    try StoreManager(repositories: repositories).write(to: repositories) { write in
      for repository in repositories {
        try write.transaction(of: repository).add(LimitedStores.item(id), update: .all)
      }
    }
    for name in names { stores.acknowledge([id], in: name) }
    if !notified.wait(for: 2 * names.count) { stores.wrong("the write to all stores was not observed") }
    try observeNeighbour(names, notified)
    say("doing the ends")
    tokens.forEach { $0.invalidate() }
    stores.verify("with many stores")
    repositories.forEach { $0.close() }
    stores.count("stores that were open at once", names.count)
  }

  private func save(to name: String) {
    let id = stores.nextID()
    stores.attempt("save", [], store: name, saving: [id]) {
      try stores.repository(name).saveAndWait(entity: LimitedStores.item(id))
    }
  }

  /// Another process writes to all stores. Not all watchers get a place in the system's table; the others poll.
  private func observeNeighbour(_ names: [String], _ notified: CountedCalls) throws {
    say("doing writes of another process")
    let before = notified.value
    let id = stores.nextID()
    let neighbour = try ChildRun(
      ["neighbour", stores.directory, "--as", "writer", "--count", "\(names.count)", "--id", "\(id)"],
      output: "\(stores.directory)/neighbour",
      seconds: ChildRun.hangLimit
    )
    guard neighbour.end == .exited(0) else { throw BrokenTest("the neighbour: \(neighbour.lines)") }
    for name in names { stores.acknowledge([id], in: name) }
    if !notified.wait(for: before + names.count) {
      stores.wrong("\(notified.value - before) of \(names.count) stores noticed another process")
    }
  }

  // MARK: Observers

  func observeMuch() throws {
    let repository = stores.repository()
    let ids = (0..<20).map { _ in stores.nextID() }
    try repository.saveAndWait(entities: ids.map { LimitedStores.item($0) })
    stores.acknowledge(ids)
    let count = 1_000 * scale
    let calls = CountedCalls()
    say("doing \(count) observers")
    let items = try repository.objects(TortureItem.self)
    guard let item = try repository.fetchObject(ofType: TortureItem.self, forPrimaryKey: ids[0]) else {
      return stores.wrong("an item is not there")
    }
    var tokens: [NotificationToken] = []
    for number in 0..<count {
      switch number % 4 {
      case 0: tokens.append(try repository.observe { _ in calls.add() })
      case 1: tokens.append(item.observe { (_: ObjectChange<TortureItem>) in calls.add() })
      case 2: tokens.append(items.observe { if case .update = $0 { calls.add() } })
      default: tokens.append(items.where { $0.rank >= 0 }.observe { if case .update = $0 { calls.add() } })
      }
    }
    try repository.store().waitUntilDelivered()
    try repository.write { transaction in
      try transaction.object(ofType: TortureItem.self, forPrimaryKey: ids[0])?.rank = 100
    }
    if !calls.wait(for: count) { stores.wrong("of \(count) observers \(calls.value) were called") }
    try repository.store().waitUntilDelivered()
    if calls.value != count { stores.wrong("\(count) observers were called \(calls.value) times") }
    try invalidate(tokens, calls, ids[1])
    stores.verify("after \(count) observers", reopening: true)
    stores.count("observers at once", count)
  }

  /// Ends observations on several threads while others write; none is called afterwards.
  private func invalidate(_ tokens: [NotificationToken], _ calls: CountedCalls, _ id: Int) throws {
    say("doing the ends of \(tokens.count) observers")
    let repository = stores.repository()
    let failure = OwnedResult()
    WorkerThreads.run(5) { part in
      guard part > 0 else {
        for rank in 0..<20 {
          do {
            try repository.write { transaction in
              try transaction.object(ofType: TortureItem.self, forPrimaryKey: id)?.rank = rank
            }
          } catch { failure.set(.failure(error)) }
        }
        return
      }
      for index in stride(from: part - 1, to: tokens.count, by: 4) { tokens[index].invalidate() }
    }
    try failure.get()
    let before = calls.value
    try repository.write { transaction in
      try transaction.object(ofType: TortureItem.self, forPrimaryKey: id)?.rank = 50
    }
    try repository.store().waitUntilDelivered()
    if calls.value != before { stores.wrong("\(calls.value - before) calls after the ends of all observers") }
    let later = CountedCalls()
    let token = try repository.observe { _ in later.add() }
    let new = stores.nextID()
    try repository.saveAndWait(entity: LimitedStores.item(new))
    stores.acknowledge([new])
    if !later.wait(for: 1) { stores.wrong("an observer after all others was not called") }
    token.invalidate()
  }
}
