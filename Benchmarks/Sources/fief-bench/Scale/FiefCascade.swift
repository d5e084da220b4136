import Fief

/// Objects that depend on others, by rules that cascade.
final class CascadeNode: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var owner: CascadeNode?
  @Persisted var number = 0
  @Persisted var next: CascadeNode?
  @Persisted(originProperty: "owner") var owned: LinkingObjects<CascadeNode>

  override class func relationships() -> [Relationship] {
    [Relationship("owned", deleteRule: .cascade), Relationship("next", deleteRule: .cascade)]
  }

  convenience init(_ id: Int) {
    self.init()
    self.id = id
  }
}

/// The deletion of one object with all its dependents, in one commit: its time and its memory.
struct FiefCascade {
  /// The links between the dependents.
  enum Shape: String, CaseIterable {
    /// All of them are owned by the first one.
    case star
    /// Each leads to the next one.
    case chain
    /// Each owns the next one and one that owns none.
    case comb
  }

  private static let batch = 10_000

  let directory: String
  let count: Int
  let shape: Shape

  private var repository: BenchmarkRepository { BenchmarkRepository([CascadeNode.self], in: directory) }

  /// Fills a store.
  func fill() throws {
    let repository = repository
    defer { repository.close() }
    var id = 0
    while id < count {
      let end = min(id + Self.batch, count)
      try repository.write { transaction in
        for id in id..<end { try transaction.add(CascadeNode(id)) }
      }
      id = end
    }
    id = 0
    while id < count {
      let end = min(id + Self.batch, count)
      try repository.write { transaction in
        for id in id..<end { try link(id, transaction) }
      }
      id = end
    }
  }

  private func link(_ id: Int, _ transaction: WriteTransaction) throws {
    func node(_ id: Int) throws -> CascadeNode? {
      try transaction.object(ofType: CascadeNode.self, forPrimaryKey: id)
    }
    switch shape {
    case .star: if id > 0 { try node(id)?.owner = try node(0) }
    case .chain: if id + 1 < count { try node(id)?.next = try node(id + 1) }
    // 0, 2, 4 are the comb's back, 1, 3, 5 its teeth.
    case .comb: if id > 0 { try node(id)?.owner = try node(id % 2 == 1 ? id - 1 : id - 2) }
    }
  }

  /// Deletes the first object, and prints seconds, the peak of the process and how much of it is no file, in KiB.
  func delete() throws {
    let repository = repository
    defer { repository.close() }
    guard let first = repository.object(ofType: CascadeNode.self, forPrimaryKey: 0) else {
      throw BenchmarkError("the store is empty")
    }
    let start = Clock.now
    try repository.write { transaction in
      guard let live = try transaction.object(ofType: CascadeNode.self, forPrimaryKey: first.id) else {
        return
      }
      try transaction.delete(live)
    }
    let seconds = Clock.now - start
    let peak = Memory.peak
    let anonymous = Memory.anonymous
    let left = try repository.read { $0.objects(CascadeNode.self).count }
    let problems = try repository.check().problems
    guard left == 0, problems.isEmpty else { throw BenchmarkError("\(left) objects are left: \(problems)") }
    Files.print("\(seconds) s, peak \(peak) KiB, anonymous memory \(anonymous) KiB")
  }
}
